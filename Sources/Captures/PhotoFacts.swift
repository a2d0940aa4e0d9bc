import CExif

/// What a photo's own file says of itself: when, where, which way up, how large.
///
/// Read with libexif, of any bytes, from the head of a file; what is missing or senseless is nil.
package struct PhotoFacts: Hashable, Sendable {
  /// How much of a file is worth handing over: more than any head of metadata that was seen.
  package static let headBytes = 262_144
  /// Nanoseconds; no camera counts finer.
  private static let fractionDigits = 9

  /// Local time by the camera's clock, `YYYY-MM-DDTHH:MM:SS`, and a fraction if one is written.
  ///
  /// Only DateTimeOriginal counts, and the fraction of SubSecTimeOriginal.
  package var taken: String?
  /// `+HH:MM` or `-HH:MM`; nil if unknown.
  ///
  /// Only OffsetTimeOriginal belongs to the time above; OffsetTime is that of the last change.
  package var offset: String?
  /// The position, with the signs of its references.
  ///
  /// Nil without both references, with a number divided by 0, off the globe, at 0, 0, and with a
  /// negative number under N or E, of which nobody knows which is right.
  package var place: Place?
  /// Of the image itself and not of its thumbnail.
  package var orientation: Orientation?
  /// Pixels as stored, before any turn.
  package var width: Int?
  package var height: Int?

  /// The time by RFC 3339, with its offset; without one if the photo does not tell it.
  ///
  /// A local time alone says that the offset is unknown: no other offset is the camera's, not UTC
  /// and not that of a device that reads the photo.
  package var capturedAt: String? {
    taken.map { $0 + (offset ?? "") }
  }

  /// A photo of which nothing is known.
  package init() {}

  /// Reads the first ``headBytes`` of `bytes`.
  package init(jpeg bytes: [UInt8]) {
    let head = bytes.count > Self.headBytes ? Array(bytes[..<Self.headBytes]) : bytes
    let segments = JPEGSegments(head)
    if let size = segments.size, size.width > 0, size.height > 0 {
      width = size.width
      height = size.height
    }
    if let exif = segments.exif { read(Array(head[exif.payload])) }
  }

  /// Reads the content of an EXIF segment.
  private mutating func read(_ payload: [UInt8]) {
    guard let data = exif_data_new() else { return }
    defer { exif_data_unref(data) }
    // Else libexif adds mandatory tags that are missing, and facts appear that nobody wrote.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    // Directories that point at each other cost ten times less then: 0.2 s for the worst found.
    exif_data_set_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    exif_data_load_data(data, payload, UInt32(payload.count))
    let order = exif_data_get_byte_order(data)
    // The order of the tuple is that of the enumeration ExifIfd.
    let (image, _, exposure, position, _) = data.pointee.ifd

    taken = ExifField(exposure, 0x9003)?.text.flatMap {
      CaptureTime.local($0, dateMark: ":", dayMark: " ")
    }.map { $0 + Self.fraction(ExifField(exposure, 0x9291)?.text ?? []) }
    offset = ExifField(exposure, 0x9011)?.text.flatMap { CaptureTime.offset($0) }
    orientation = ExifField(image, 0x0112)?.short(order).flatMap { Orientation(rawValue: $0) }
    place = Self.place(in: position, order)
  }

  /// The digits behind the point of a second, with the point; empty if they are none.
  private static func fraction(_ text: [UInt8]) -> String {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard (1...fractionDigits).contains(text.count), text.allSatisfy(digits.contains) else {
      return ""
    }
    return "." + String(decoding: text, as: UTF8.self)
  }

  private static func place(
    in directory: UnsafeMutablePointer<ExifContent>?, _ order: ExifByteOrder
  ) -> Place? {
    guard
      let latitude = coordinate(
        ExifField(directory, 0x0001), ExifField(directory, 0x0002), "N", "S", order),
      let longitude = coordinate(
        ExifField(directory, 0x0003), ExifField(directory, 0x0004), "E", "W", order),
      latitude.magnitude <= 90, longitude.magnitude <= 180,
      // A receiver without a fix writes zeros; no photo is taken there.
      latitude != 0 || longitude != 0
    else { return nil }
    return Place(latitude: latitude, longitude: longitude)
  }

  /// Degrees with the sign of the reference, rounded to 1e-7, which is 1 cm.
  private static func coordinate(
    _ reference: ExifField?, _ value: ExifField?, _ positive: Unicode.Scalar,
    _ negative: Unicode.Scalar, _ order: ExifByteOrder
  ) -> Double? {
    guard let letter = reference?.text?.first, let parts = value?.rationals(order),
      parts.count == 3, parts[1].magnitude < 60, parts[2].magnitude < 60
    else { return nil }
    let sign: Double
    switch letter & 0xdf {  // Some write the letter small.
    case UInt8(ascii: positive): sign = 1
    case UInt8(ascii: negative): sign = -1
    default: return nil
    }
    guard sign < 0 || parts.allSatisfy({ $0 >= 0 }) else { return nil }
    let degrees = parts[0].magnitude + parts[1].magnitude / 60 + parts[2].magnitude / 3600
    let rounded = (degrees * 1e7).rounded() / 1e7
    return rounded == 0 ? 0 : sign * rounded
  }
}

/// One field of one directory; it lives as long as the data that libexif loaded.
private struct ExifField {
  private let entry: ExifEntry

  init?(_ directory: UnsafeMutablePointer<ExifContent>?, _ tag: UInt32) {
    guard let directory,
      let entry = exif_content_get_entry(directory, ExifTag(rawValue: tag))?.pointee,
      entry.data != nil
    else { return nil }
    self.entry = entry
  }

  /// The text before its closing zero, without spaces around it.
  var text: [UInt8]? {
    guard entry.format == EXIF_FORMAT_ASCII else { return nil }
    let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size)).prefix { $0 != 0 }
    let blank = UInt8(ascii: " ")
    let tail = bytes.drop { $0 == blank }
    let length = tail.lastIndex { $0 != blank }.map { $0 - tail.startIndex + 1 } ?? 0
    return length == 0 ? nil : Array(tail.prefix(length))
  }

  func short(_ order: ExifByteOrder) -> Int? {
    guard entry.format == EXIF_FORMAT_SHORT, entry.size >= 2 else { return nil }
    return Int(exif_get_short(entry.data, order))
  }

  /// Rationals; nil if one of them is divided by 0.
  func rationals(_ order: ExifByteOrder) -> [Double]? {
    guard let start = entry.data, entry.components <= 3,
      Int(entry.size) >= 8 * Int(entry.components)
    else { return nil }
    var values: [Double] = []
    for index in 0..<Int(entry.components) {
      let value: Double
      switch entry.format {
      case EXIF_FORMAT_RATIONAL:
        let rational = exif_get_rational(start + 8 * index, order)
        value = Double(rational.numerator) / Double(rational.denominator)
      case EXIF_FORMAT_SRATIONAL:
        let rational = exif_get_srational(start + 8 * index, order)
        value = Double(rational.numerator) / Double(rational.denominator)
      default: return nil
      }
      guard value.isFinite else { return nil }
      values.append(value)
    }
    return values
  }
}
