import Captures

/// When and where a moment was captured, and on whose word.
///
/// A photo's own clock is believed first, then the client, then the clock of the engine when the
/// record was stored; a photo's own position is believed before the client's. The original speaks
/// before the copy, which may have been stripped. Each file has its say when it is stored, so the
/// truth of a moment may change until its original is there; the record of it does not.
struct MomentTruth: Hashable, Sendable {
  enum Source: String, Hashable, Sendable {
    case camera, client, engine
  }

  /// RFC 3339; without the offset when a photo tells the time and not the offset.
  var capturedAt: String
  var capturedBy: Source
  var place: Place?
  /// Nil when there is no place.
  var placedBy: Source?

  init(of moment: Moment, read photos: (any PhotoReader)?) {
    let record = moment.record
    (capturedAt, capturedBy) =
      record.capturedAt.map { ($0, .client) } ?? (moment.storedAt, .engine)
    (place, placedBy) = (record.place, record.place.map { _ in .client })
    guard let photos else { return }
    for role in [UploadStep.original, .copy] {
      for photo in moment.media where photo.role == role {
        let facts = photos.facts(of: photo.bytes)
        if capturedBy != .camera, let time = facts.capturedAt {
          (capturedAt, capturedBy) = (time, .camera)
        }
        if placedBy != .camera, let own = facts.place { (place, placedBy) = (own, .camera) }
        if capturedBy == .camera, placedBy == .camera { return }
      }
    }
  }
}
