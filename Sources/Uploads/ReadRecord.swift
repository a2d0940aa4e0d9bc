import Captures

/// A capture as the engine has it: the record of a moment, or an encounter, that was read back.
///
/// The names of these properties are the contract's own.
struct ReadRecord: Decodable {
  struct File: Decodable {
    var id: String
    /// Of a moment's files only.
    var role: String?
    var bytes: Int
    var sha256: String
  }

  struct Request: Decodable {
    var request_id: String
  }

  /// Whose word is believed; the photo's own comes before the client's.
  private static let camera = "camera"

  var id: String
  var request_id: String
  var kind: String
  var note: String?
  var captured_at: String?
  var captured_at_source: String?
  var time_zone: String?
  var place: Place?
  var place_source: String?
  var media: [File]?
  var turns: [Request]?
  var texts: [Request]?
  /// Of an encounter.
  var staged: [File]?

  /// The first thing that is not as it was sent, in words; nil when all is.
  ///
  /// Where the engine has believed a photo of its time or place, it knows better than the client.
  func difference(from entry: OutboxEntry) -> String? {
    if request_id != entry.requestID { return "its request id" }
    if kind != entry.kind.rawValue { return "its kind" }
    if (note ?? "") != entry.note { return "the note" }
    if captured_at_source != Self.camera, captured_at != entry.capturedAt { return "the time" }
    if time_zone != entry.timeZone { return "the time zone" }
    if place_source != Self.camera, place != entry.place { return "the place" }
    for file in entry.files {
      let name = file.step.photo.map { "photo \($0)" } ?? "the \(file.step)"
      guard let stored = (media ?? staged ?? []).first(where: { $0.id == file.media }) else {
        return "\(name), which is missing"
      }
      if let role = stored.role, role != "\(file.step)" { return "what \(name) is for" }
      if stored.bytes != file.bytes || stored.sha256 != file.sha256 {
        return "the bytes of \(name)"
      }
    }
    for step in entry.plan {
      switch step {
      case .turn where !Self.names(entry.turn, turns): return "the turn, which is missing"
      case .text where !Self.names(entry.text, texts): return "the text, which is missing"
      default: continue
      }
    }
    return nil
  }

  private static func names(_ id: String, _ requests: [Request]?) -> Bool {
    requests?.contains { $0.request_id == id } ?? false
  }
}
