/// EXIF data as a camera writes it into the first segment of a photo.
///
/// Source: EXIF 2.32 (CIPA DC-008) and TIFF 6.0. It is written here instead of through libexif so
/// that every byte is ours and the reader is checked against a second hand.
package struct ExifBlock: Sendable {
  package enum ByteOrder: Sendable { case big, little }

  package enum Value: Hashable, Sendable {
    case bytes([UInt8])
    /// Seven-bit text; the closing zero is added.
    case ascii(String)
    case shorts([UInt16])
    case longs([UInt32])
    case rationals([Rational])
    case undefined([UInt8])
  }

  package struct Rational: Hashable, Sendable {
    package var numerator: UInt32
    package var denominator: UInt32

    package init(_ numerator: UInt32, _ denominator: UInt32) {
      self.numerator = numerator
      self.denominator = denominator
    }
  }

  package struct Entry: Hashable, Sendable {
    package var tag: UInt16
    package var value: Value

    package init(_ tag: UInt16, _ value: Value) {
      self.tag = tag
      self.value = value
    }
  }

  /// About the image: maker, orientation; tags ascend, as in all three.
  package var image: [Entry]
  /// About the exposure: times, offsets, pixel size.
  package var exposure: [Entry]
  package var position: [Entry]

  /// What a capture states of itself.
  package init(time: CaptureTime, place: Place, width: Int, height: Int) {
    image = [
      Entry(0x010f, .ascii("onebar")),
      Entry(0x0110, .ascii("onebar")),
      Entry(0x0112, .shorts([1])),
      Entry(0x011a, .rationals([Rational(72, 1)])),
      Entry(0x011b, .rationals([Rational(72, 1)])),
      Entry(0x0128, .shorts([2])),
      Entry(0x0132, .ascii(time.exifDate)),
      Entry(0x0213, .shorts([1])),
    ]
    exposure = [
      Entry(0x9000, .undefined(Array("0232".utf8))),
      Entry(0x9003, .ascii(time.exifDate)),
      Entry(0x9004, .ascii(time.exifDate)),
      Entry(0x9010, .ascii(time.offset)),
      Entry(0x9011, .ascii(time.offset)),
      Entry(0x9012, .ascii(time.offset)),
      Entry(0xa001, .shorts([1])),
      Entry(0xa002, .longs([UInt32(width)])),
      Entry(0xa003, .longs([UInt32(height)])),
    ]
    position = [
      Entry(0x0000, .bytes([2, 3, 0, 0])),
      Entry(0x0001, .ascii(place.latitude < 0 ? "S" : "N")),
      Entry(0x0002, .rationals(Self.degrees(place.latitude))),
      Entry(0x0003, .ascii(place.longitude < 0 ? "W" : "E")),
      Entry(0x0004, .rationals(Self.degrees(place.longitude))),
    ]
  }

  /// Degrees, minutes and seconds; the seconds in steps of 1/100,000, which is 0.3 mm.
  package static func degrees(_ value: Double) -> [Rational] {
    let steps = UInt64((value.magnitude * 360_000_000).rounded())
    return [
      Rational(UInt32(steps / 360_000_000), 1),
      Rational(UInt32(steps / 6_000_000 % 60), 1),
      Rational(UInt32(steps % 6_000_000), 100_000),
    ]
  }

  /// The whole application segment.
  package func segment(_ order: ByteOrder = .big) -> [UInt8] {
    let first = 8
    // Three directories in a row, each with the values that do not fit into its entries.
    let pointers = [Entry(0x8769, .longs([0])), Entry(0x8825, .longs([0]))]
    let exposureStart = first + Self.byteCount(image + pointers)
    let positionStart = exposureStart + Self.byteCount(exposure)
    var tiff = TIFFBytes(order: order)
    tiff.append(order == .big ? Array("MM".utf8) : Array("II".utf8))
    tiff.append(UInt16(42))
    tiff.append(UInt32(first))
    let withPointers =
      image + [
        Entry(0x8769, .longs([UInt32(exposureStart)])),
        Entry(0x8825, .longs([UInt32(positionStart)])),
      ]
    for directory in [withPointers, exposure, position] { tiff.append(directory) }
    return JPEGSegments.segment(0xe1, JPEGSegments.exifTag + tiff.bytes)
  }

  private static func byteCount(_ entries: [Entry]) -> Int {
    entries.reduce(2 + 12 * entries.count + 4) { sum, entry in
      let size = entry.value.byteCount
      return sum + (size > 4 ? size + size % 2 : 0)
    }
  }
}

extension ExifBlock.Value {
  var byteCount: Int {
    switch self {
    case .bytes(let values), .undefined(let values): values.count
    case .ascii(let text): text.utf8.count + 1
    case .shorts(let values): values.count * 2
    case .longs(let values): values.count * 4
    case .rationals(let values): values.count * 8
    }
  }
}

/// Bytes of a TIFF structure in one byte order.
private struct TIFFBytes {
  let order: ExifBlock.ByteOrder
  private(set) var bytes: [UInt8] = []

  init(order: ExifBlock.ByteOrder) {
    self.order = order
  }

  mutating func append(_ more: [UInt8]) {
    bytes += more
  }

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    let ordered = order == .big ? number.bigEndian : number.littleEndian
    withUnsafeBytes(of: ordered) { bytes += $0 }
  }

  /// A directory: count, entries, no next directory, then the values of more than four bytes.
  mutating func append(_ entries: [ExifBlock.Entry]) {
    var valueAt = bytes.count + 2 + 12 * entries.count + 4
    var values = TIFFBytes(order: order)
    append(UInt16(entries.count))
    for entry in entries {
      var value = TIFFBytes(order: order)
      let (type, count) = value.append(entry.value)
      append(entry.tag)
      append(type)
      append(UInt32(count))
      if value.bytes.count <= 4 {
        append(value.bytes + [UInt8](repeating: 0, count: 4 - value.bytes.count))
      } else {
        append(UInt32(valueAt))
        if value.bytes.count % 2 == 1 { value.append([0]) }
        values.append(value.bytes)
        valueAt += value.bytes.count
      }
    }
    append(UInt32(0))
    append(values.bytes)
  }

  /// Appends the value and gives the type number of TIFF 6.0 and the count.
  private mutating func append(_ value: ExifBlock.Value) -> (type: UInt16, count: Int) {
    switch value {
    case .bytes(let values):
      append(values)
      return (1, values.count)
    case .ascii(let text):
      append(Array(text.utf8) + [0])
      return (2, text.utf8.count + 1)
    case .shorts(let values):
      for number in values { append(number) }
      return (3, values.count)
    case .longs(let values):
      for number in values { append(number) }
      return (4, values.count)
    case .rationals(let values):
      for number in values {
        append(number.numerator)
        append(number.denominator)
      }
      return (5, values.count)
    case .undefined(let values):
      append(values)
      return (7, values.count)
    }
  }
}
