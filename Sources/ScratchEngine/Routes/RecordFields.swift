import Captures
import JSON

extension MomentRecord {
  /// Throws ``Refusal`` when a field holds what cannot be.
  func check() throws(Refusal) {
    try JSONBody.checkID(requestID, "request_id")
    guard !kind.isEmpty else { throw .invalidField("kind is empty.") }
    if let time = capturedAt, !TimeText.isValid(time) {
      throw .invalidField(
        "captured_at is not an RFC 3339 time; only the offset may be left out, if unknown.")
    }
    if let place {
      guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else {
        throw .invalidField("place is not on Earth: lat is -90 to 90, lon is -180 to 180.")
      }
    }
  }

  /// As it is answered: with the truth of the moment, once that was told, in place of the client's
  /// word.
  func members(_ truth: MomentTruth? = nil) -> [(String, JSONText)] {
    let place = truth.map(\.place) ?? place
    var members: [(String, JSONText)] = [
      ("request_id", .string(requestID)), ("kind", .string(kind)), ("note", .optional(note)),
      ("captured_at", .optional(truth?.capturedAt ?? capturedAt)),
    ]
    if let truth { members.append(("captured_at_source", .string(truth.capturedBy.rawValue))) }
    members += [
      ("time_zone", .optional(timeZone)),
      (
        "place",
        place.map { .object([("lat", .number($0.latitude)), ("lon", .number($0.longitude))]) }
          ?? .null
      ),
    ]
    if let truth { members.append(("place_source", .optional(truth.placedBy?.rawValue))) }
    return members
  }
}
