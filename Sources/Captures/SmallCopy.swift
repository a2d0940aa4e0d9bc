/// The smaller copy of a photo that is sent first.
package enum SmallCopy {
  /// Pixels; the long edge of a copy.
  package static let longEdge = 2048
  /// TurboJPEG's scale, 1 to 100; what phones use for a picture to be read on a screen.
  package static let quality = 85

  /// Makes the copy: the same picture, not turned, with the EXIF segment of the original as it is.
  ///
  /// A photo that is not larger is returned unchanged. Throws when the bytes are no JPEG, or one
  /// that no camera writes.
  package static func make(
    of jpeg: [UInt8], longEdge: Int = longEdge, quality: Int = quality
  ) throws -> [UInt8] {
    let header = try JPEGDecoder.header(of: jpeg)
    guard max(header.width, header.height) > longEdge else { return jpeg }
    let picture = try JPEGDecoder.decode(jpeg).reduced(longEdge: longEdge)
    let encoder = try JPEGEncoder(
      width: picture.width, height: picture.height, sampling: picture.sampling)
    _ = try encoder.encode(picture, quality: quality)
    let exif = JPEGSegments(jpeg).exif.map { Array(jpeg[$0.range]) } ?? []
    return PhotoFile.assembled(encoder.encoded, exif: exif, padding: [])
  }
}
