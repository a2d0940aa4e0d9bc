import Captures

/// EXIF data built field by field, valid or not: byte order, types, counts and pointers as told.
struct ExifForge {
  struct Field {
    var tag: UInt16
    var type: UInt16
    var count: UInt32
    /// In the byte order of the whole.
    var bytes: [UInt8]
  }

  /// A directory in the file; what it points to is written behind it.
  struct Directory {
    var fields: [Field] = []
    /// Where the next one is said to be; nil leaves that to the layout.
    var next: UInt32?
  }

  var order = ExifBlock.ByteOrder.big
  var image = Directory()
  var thumbnail: Directory?
  var exposure: Directory?
  var position: Directory?
  /// Where exposure and position are said to be instead of where they are.
  var exposureAt: UInt32?
  var positionAt: UInt32?

  func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: order == .big ? value.bigEndian : value.littleEndian) { Array($0) }
  }

  /// The text as it stands: a closing zero is the caller's.
  func ascii(_ tag: UInt16, _ text: String) -> Field {
    Field(tag: tag, type: 2, count: UInt32(text.utf8.count), bytes: Array(text.utf8))
  }

  func short(_ tag: UInt16, _ value: UInt16) -> Field {
    Field(tag: tag, type: 3, count: 1, bytes: number(value))
  }

  func long(_ tag: UInt16, _ value: UInt32) -> Field {
    Field(tag: tag, type: 4, count: 1, bytes: number(value))
  }

  /// Signed or unsigned by `signed`; the bits are the same.
  func rationals(_ tag: UInt16, _ values: [(Int32, Int32)], signed: Bool = false) -> Field {
    Field(
      tag: tag, type: signed ? 10 : 5, count: UInt32(values.count),
      bytes: values.flatMap { number($0.0) + number($0.1) })
  }

  mutating func addToExposure(_ field: Field) {
    exposure?.fields.append(field)
  }

  /// The content of the application segment.
  var payload: [UInt8] {
    var image = image
    // Room first, so that the sizes are known; the pointers then replace it.
    if exposure != nil { image.fields.append(long(0x8769, 0)) }
    if position != nil { image.fields.append(long(0x8825, 0)) }
    let thumbnailStart = 8 + UInt32(size(image))
    let exposureStart = thumbnailStart + UInt32(thumbnail.map(size) ?? 0)
    let positionStart = exposureStart + UInt32(exposure.map(size) ?? 0)
    for index in image.fields.indices {
      switch image.fields[index].tag {
      case 0x8769: image.fields[index].bytes = number(exposureAt ?? exposureStart)
      case 0x8825: image.fields[index].bytes = number(positionAt ?? positionStart)
      default: break
      }
    }
    if image.next == nil { image.next = thumbnail == nil ? 0 : thumbnailStart }
    var tiff = Array((order == .big ? "MM" : "II").utf8) + number(UInt16(42)) + number(UInt32(8))
    for directory in [image, thumbnail, exposure, position].compactMap({ $0 }) {
      tiff += bytes(of: directory, at: tiff.count)
    }
    return JPEGSegments.exifTag + tiff
  }

  /// The head of a photo with this data and a frame of 640 x 480.
  var head: [UInt8] { Self.head([JPEGSegments.segment(0xe1, payload)]) }

  static func head(_ segments: [[UInt8]]) -> [UInt8] {
    [0xff, 0xd8] + segments.flatMap { $0 }
      + JPEGSegments.segment(0xc0, [8, 0x01, 0xe0, 0x02, 0x80, 1, 1, 0x11, 0])
  }

  private func size(_ directory: Directory) -> Int {
    directory.fields.reduce(6) { $0 + 12 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
  }

  private func bytes(of directory: Directory, at start: Int) -> [UInt8] {
    var entries = number(UInt16(directory.fields.count))
    var values: [UInt8] = []
    for field in directory.fields {
      entries += number(field.tag) + number(field.type) + number(field.count)
      if field.bytes.count > 4 {
        entries += number(UInt32(start + 6 + 12 * directory.fields.count + values.count))
        values += field.bytes
      } else {
        entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      }
    }
    return entries + number(directory.next ?? 0) + values
  }
}

extension ExifForge {
  /// Data as a camera writes it, for tests to change.
  static func photo(
    _ order: ExifBlock.ByteOrder = .big, taken: String? = "2026:05:04 19:12:33",
    fraction: String? = nil, offset: String? = "+02:00",
    position: (ExifForge) -> [Field]? = { $0.place(("N", 48.8583), ("W", 2.2945)) }
  ) -> ExifForge {
    var forge = ExifForge(order: order)
    forge.image.fields = [forge.ascii(0x010f, "onebar\0"), forge.short(0x0112, 6)]
    let texts = [(0x9003, taken), (0x9011, offset), (0x9291, fraction)] as [(UInt16, String?)]
    forge.exposure = Directory(
      fields: texts.compactMap { tag, text in text.map { forge.ascii(tag, $0 + "\0") } })
    forge.position = position(forge).map { Directory(fields: $0) }
    return forge
  }

  /// References and degrees; a number below 0 is written so, as some writers do.
  func place(
    _ latitude: (reference: String?, degrees: Double),
    _ longitude: (reference: String?, degrees: Double), signed: Bool = false
  ) -> [Field] {
    var fields: [Field] = []
    for (tag, value) in [(UInt16(1), latitude), (3, longitude)] {
      if let text = value.reference { fields.append(ascii(tag, text + "\0")) }
      let parts = ExifBlock.degrees(value.degrees).map {
        (Int32(bitPattern: $0.numerator), Int32(bitPattern: $0.denominator))
      }
      let sign: Int32 = value.degrees < 0 ? -1 : 1
      fields.append(rationals(tag + 1, parts.map { ($0.0 * sign, $0.1) }, signed: signed))
    }
    return fields
  }
}
