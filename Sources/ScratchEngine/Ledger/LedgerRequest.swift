package import Captures
package import Quantities

/// One request in the ledger.
package struct LedgerRequest: Hashable, Sendable {
  package enum End: String, Hashable, Sendable {
    /// The last byte of an answer went to the connection.
    case answered
    /// The connection ended before that.
    case reset, closed
    /// Neither had happened when the ledger was taken.
    case open
  }

  package var connection: ConnectionID
  package var method: String
  /// Without the query.
  package var path: String
  package var step: UploadStep?
  /// The moment and the media that the path names.
  package var moment: String?
  package var media: String?
  /// Counted from 1 per moment and step, at the head; nil for a request that is no step.
  package var attempt: Int?
  /// When its head was whole.
  package var startedAt: Instant
  /// When its body was whole.
  package var bodyEndedAt: Instant?
  /// When it was answered or cut.
  package var endedAt: Instant?
  package var end = End.open
  /// The status that the engine decided on, whether or not the answer went out.
  package var decidedStatus: Int?
  /// Nil when the length was not declared.
  package var declaredBytes: Int?
  /// Body bytes that came in, without the framing of chunks.
  package var bodyBytes = 0
  package var trail = ByteTrail()
  /// Of a body that was whole.
  package var sha256: String?
  /// Its content was stored by it.
  package var stored = false
  /// Its content was stored before, and the answer said so.
  package var replay = false

  /// The status that was answered; nil when no answer went out.
  package var status: Int? { end == .answered ? decidedStatus : nil }
}
