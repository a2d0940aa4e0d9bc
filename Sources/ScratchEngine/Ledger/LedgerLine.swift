import Captures
import JSON
import Quantities

/// Entries of the ledger as lines of JSON: `{"request":{...}}` and `{"connection":{...}}`.
///
/// Times are link seconds; what is not known is null. `trail` holds pairs of a time and the body
/// bytes that had come in by then. scenarios/LEDGER.md says what each field means.
package enum LedgerLine {
  /// The most pairs of a trail: enough for a picture, and a line that can be read.
  static let trailMax = 512

  /// The line for an entry, without a line break.
  package static func text(of entry: LedgerEntry, in ledger: Ledger) -> String {
    switch entry {
    case .request(let place):
      JSONText.object([("request", .object(members(ledger.requests[place])))]).text
    case .connection(let place):
      JSONText.object([("connection", .object(members(ledger.connections[place])))]).text
    }
  }

  static func members(_ request: LedgerRequest) -> [(String, JSONText)] {
    [
      ("at", .number(request.startedAt.seconds)),
      ("connection", .integer(request.connection.number + 1)),
      ("method", .string(request.method)),
      ("path", .string(request.path)),
      ("step", .optional(request.step?.rawValue)),
      ("moment", .optional(request.moment)),
      ("media", .optional(request.media)),
      ("upload", .optional(request.upload?.name)),
      ("attempt", .optional(request.attempt)),
      ("rule", .optional(request.rule.map { $0 + 1 })),
      ("expects_continue", .bool(request.expectsContinue)),
      ("continued_at", .optional(request.continuedAt?.seconds)),
      ("declared_bytes", .optional(request.declaredBytes)),
      ("body_bytes", .integer(request.bodyBytes)),
      ("body_ended_at", .optional(request.bodyEndedAt?.seconds)),
      ("sha256", .optional(request.sha256)),
      ("stored", .bool(request.stored)),
      ("replayed", .bool(request.replay)),
      ("decided", .optional(request.decidedStatus)),
      ("status", .optional(request.status)),
      ("sent_bytes", .integer(request.sent)),
      ("ended_at", .optional(request.endedAt?.seconds)),
      ("end", .string(request.end.rawValue)),
      ("ended_by", .optional(request.endedBy?.rawValue)),
      ("phase", .string(request.phase.rawValue)),
      (
        "trail",
        .array(
          request.trail.thinned(to: trailMax).map {
            .array([.number($0.at.seconds), .integer($0.bytes)])
          })
      ),
    ]
  }

  static func members(_ connection: LedgerConnection) -> [(String, JSONText)] {
    [
      ("number", .integer(connection.number + 1)),
      ("rule", .optional(connection.rule.map { $0 + 1 })),
      ("opened_at", .number(connection.openedAt.seconds)),
      ("ended_at", .optional(connection.endedAt?.seconds)),
      ("end", .optional(connection.end?.rawValue)),
      ("received_bytes", .integer(connection.received)),
      ("sent_bytes", .integer(connection.sent)),
      ("fault", .optional(connection.fault)),
      ("timed_out", .bool(connection.timedOut)),
    ]
  }
}
