import Quantities

/// How the parts of a photo's file are put together.
enum PhotoFile {
  static let paddingMarker: UInt8 = 0xef
  static let paddingTag = Array("onebar\0".utf8)
  /// Bytes of the smallest padding: marker, length and tag.
  static let smallestPadding = 4 + paddingTag.count
  /// The start marker and the JFIF segment, which TurboJPEG writes first.
  static let encodedHead = 2 + 18

  /// The size of a file without padding.
  static func byteCount(encoded: Int, exif: [UInt8]) -> Int {
    encoded - (encodedHead - 2) + exif.count
  }

  /// Start, the segments given, padding, then what TurboJPEG wrote after its JFIF segment.
  ///
  /// EXIF 2.32 wants its segment right after the start marker, where JFIF wants its own; cameras
  /// leave JFIF away.
  static func assembled(_ encoded: [UInt8], segments: [UInt8], padding: [UInt8]) -> [UInt8] {
    encoded[..<2] + segments + padding + encoded[encodedHead...]
  }

  /// Application segments of exactly `count` bytes together, filled from the seed.
  static func padding(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
    precondition(count >= smallestPadding)
    let most = JPEGSegments.largestPayload + 4
    var left = count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while left > 0 {
      // A rest below the smallest segment could not be written: leave enough for one.
      let size = left <= most ? left : min(most, left - smallestPadding)
      bytes += JPEGSegments.segment(
        paddingMarker, paddingTag + random.fillerBytes(size - smallestPadding))
      left -= size
    }
    return bytes
  }
}
