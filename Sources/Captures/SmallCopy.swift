/// The smaller copy of a photo that is sent first.
package enum SmallCopy {
  /// Pixels; the long edge of a copy.
  package static let longEdge = 2048
  /// TurboJPEG's scale, 1 to 100; what phones use for a picture to be read on a screen.
  package static let quality = 85

  /// Makes the copy: the same picture, not turned, with the EXIF segment, the comments and the
  /// colour profile of the original as they are.
  ///
  /// A copy that keeps its orientation is not turned, and one that loses it is (``DerivedCopy``),
  /// so that a photo is turned once, however many copies lie between. A photo that is not larger
  /// is returned unchanged. Throws when the bytes are no JPEG, or one that no camera writes.
  package static func make(
    of jpeg: [UInt8], longEdge: Int = longEdge, quality: Int = quality
  ) throws -> [UInt8] {
    let header = try JPEGDecoder.header(of: jpeg)
    guard max(header.width, header.height) > longEdge else { return jpeg }
    let picture = try JPEGDecoder.decode(jpeg, forLongEdge: longEdge).reduced(longEdge: longEdge)
    let encoder = try JPEGEncoder(
      width: picture.width, height: picture.height, sampling: picture.sampling)
    _ = try encoder.encode(picture, quality: quality)
    let segments = JPEGSegments(jpeg)
    let kept = [segments.exif].compactMap { $0 } + segments.aboutThePicture
    return PhotoFile.assembled(
      encoder.encoded, segments: kept.flatMap { jpeg[$0.range] }, padding: [])
  }
}
