/// A copy of a stored photo that is there to be shown: upright, small, and silent about its origin.
///
/// It carries no EXIF data and no XMP, so nobody who sees it learns place and time; comments and
/// the colour profile stay. As the orientation goes with the EXIF data, the picture itself is
/// turned, by the orientation of the image and never by that of its thumbnail.
package enum DerivedCopy: String, Hashable, Sendable, CaseIterable {
  case display, thumbnail

  /// Pixels of the long edge at most; nothing is enlarged.
  package var longEdge: Int {
    switch self {
    case .display: 2048
    case .thumbnail: 320
    }
  }

  /// Makes the copy.
  ///
  /// Throws ``CaptureError/jpeg(_:)`` when the photo cannot be decoded: it is no JPEG, ends early,
  /// or has colours that no camera stores.
  package func make(of photo: [UInt8]) throws -> [UInt8] {
    let stored = try JPEGDecoder.decode(photo)
    // Colours at half of the resolution in both directions: it stays so when they are turned.
    let small = stored.reduced(
      longEdge: longEdge, sampling: stored.sampling == .grey ? .grey : .halved)
    let picture = small.upright(from: PhotoFacts(jpeg: photo).orientation ?? .upright)
    let encoder = try JPEGEncoder(
      width: picture.width, height: picture.height, sampling: picture.sampling)
    _ = try encoder.encode(picture, quality: SmallCopy.quality)
    let kept = JPEGSegments(photo).aboutThePicture.flatMap { photo[$0.range] }
    return PhotoFile.assembled(encoder.encoded, segments: kept, padding: [])
  }
}
