import JSON
import Quantities

/// Something that happened to a moment, as its event stream tells it.
struct MomentEvent: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case record, media, turn, text
  }

  var kind: Kind
  /// The media id, or the request id of a record, turn or text.
  var id: String
  /// A turn happens when its answer exists, which may be later than its request.
  var at: Instant

  /// One event of a stream: HTML Living Standard, section 9.2 (server-sent events).
  func text(number: Int, of moment: String) -> String {
    let data = JSONText.object([("moment", .string(moment)), ("id", .string(id))])
    return "id: \(number)\nevent: \(kind.rawValue)\ndata: \(data.text)\n\n"
  }
}

/// What happened to one moment, in order of time; the n-th has the number n.
struct MomentHistory: Hashable, Sendable {
  private(set) var events: [MomentEvent] = []

  /// Lists an event of now or later: no number of one that has happened changes by it.
  mutating func add(_ event: MomentEvent) {
    let place = events.lastIndex { $0.at <= event.at }
    events.insert(event, at: place.map { $0 + 1 } ?? 0)
  }
}
