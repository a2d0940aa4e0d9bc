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

  /// Who ended a request.
  package enum Party: String, Hashable, Sendable {
    case engine
    /// The engine, because a rule of its script said so.
    case script
    /// The client, or the link on its behalf: the engine cannot tell them apart.
    case client
  }

  /// How far a request came, in this order.
  package enum Phase: String, Hashable, Sendable {
    case head, body
    /// Its body was read, and nothing was decided.
    case whole
    /// What it brought was stored, or it was decided otherwise, and no byte of an answer was sent.
    case decided
    /// The answer began.
    case answer
  }

  package var connection: ConnectionID
  package var method: String
  /// Without the query.
  package var path: String
  package var step: UploadStep?
  /// The moment and the media that the path names.
  package var moment: String?
  package var media: String?
  /// What it uploads outside of any moment.
  package var upload: Upload?
  /// Counted from 1 per moment and step, or per upload, at the head; nil for any other request.
  package var attempt: Int?
  /// When its head was whole.
  package var startedAt: Instant
  /// Its client waits for `100 Continue` before it sends the body, for a while.
  package var expectsContinue = false
  /// When that was sent; nil when it never was.
  package var continuedAt: Instant?
  /// When its body was whole.
  package var bodyEndedAt: Instant?
  /// When it was answered or cut.
  package var endedAt: Instant?
  package var end = End.open
  /// Nil while it is open.
  package var endedBy: Party?
  /// The rule of the script that was for it, counted from 0.
  package var rule: Int?
  /// The status that the engine decided on, whether or not the answer went out.
  package var decidedStatus: Int?
  /// Nil when the length was not declared.
  package var declaredBytes: Int?
  /// Body bytes that came in, without the framing of chunks.
  package var bodyBytes = 0
  package var trail = ByteTrail()
  /// Bytes that went out for it, heads included, as far as the connection took them.
  package var sent = 0
  /// Of a body that was whole; of a form that of its file, or of its files' digests in a row.
  package var sha256: String?
  /// The digest of each part of a form that was whole; empty of any other body.
  package var parts: [String] = []
  /// Its content was stored by it.
  package var stored = false
  /// Its content was stored before, and the answer said so.
  package var replay = false

  /// Whether its body is a file.
  package var sendsFile: Bool { upload != nil || step?.sendsFile == true }

  /// Digests of the files that it brought whole, and of a form's fields.
  package var fileDigests: [String] { parts.isEmpty ? [sha256].compactMap(\.self) : parts }

  /// How far it came until it ended.
  package private(set) var phase = Phase.head

  /// Behind an early answer the body goes on, and the request does not go back for it.
  mutating func reach(_ phase: Phase) {
    guard end == .open, self.phase != .answer else { return }
    self.phase = phase
  }

  /// The status that was answered; nil when no answer went out.
  package var status: Int? { end == .answered ? decidedStatus : nil }
}
