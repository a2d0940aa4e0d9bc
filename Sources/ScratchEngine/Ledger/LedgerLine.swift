import Captures
import Quantities

/// Entries of the ledger as lines of JSON: `{"request":{...}}` and `{"connection":{...}}`.
///
/// Times are link seconds; what is not known is null. `trail` holds pairs of a time and the body
/// bytes that had come in by then.
package enum LedgerLine {
  /// The line for an entry, without a line break.
  package static func text(of entry: LedgerEntry, in ledger: Ledger) -> String {
    switch entry {
    case .request(let place): JSONText.object([("request", request(ledger.requests[place]))]).text
    case .connection(let place):
      JSONText.object([("connection", connection(ledger.connections[place], place))]).text
    }
  }

  private static func request(_ request: LedgerRequest) -> JSONText {
    .object([
      ("at", .number(request.startedAt.seconds)),
      ("connection", .integer(request.connection.number + 1)),
      ("method", .string(request.method)),
      ("path", .string(request.path)),
      ("step", .optional(request.step?.rawValue)),
      ("moment", .optional(request.moment)),
      ("media", .optional(request.media)),
      ("attempt", .optional(request.attempt)),
      ("rule", .optional(request.rule.map { $0 + 1 })),
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
          request.trail.samples.map { .array([.number($0.at.seconds), .integer($0.bytes)]) })
      ),
    ])
  }

  private static func connection(_ connection: LedgerConnection, _ place: Int) -> JSONText {
    .object([
      ("number", .integer(place + 1)),
      ("opened_at", .number(connection.openedAt.seconds)),
      ("ended_at", .optional(connection.endedAt?.seconds)),
      ("end", .optional(connection.end?.rawValue)),
      ("received_bytes", .integer(connection.received)),
      ("sent_bytes", .integer(connection.sent)),
      ("fault", .optional(connection.fault)),
    ])
  }
}
