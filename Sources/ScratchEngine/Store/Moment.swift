import Captures
import Quantities

/// One capture on the engine: its record and what was stored for it, in order of storing.
struct Moment: Hashable, Sendable {
  var id: String
  var record: MomentRecord
  /// By the engine's clock, RFC 3339.
  var storedAt: String
  var media: [StoredMedia] = []
  var turns: [StoredTurn] = []
  var texts: [StoredText] = []
  var history = MomentHistory()

  func media(_ id: String) -> StoredMedia? {
    media.first { $0.id == id }
  }

  func turn(_ requestID: String) -> StoredTurn? {
    turns.first { $0.requestID == requestID }
  }

  func text(_ requestID: String) -> StoredText? {
    texts.first { $0.requestID == requestID }
  }
}

/// What the client said of a capture; a repeat has the same content when these fields are equal.
struct MomentRecord: Hashable, Sendable, Decodable {
  var requestID: String
  var kind: String
  var note: String?
  /// RFC 3339, without the offset when that is unknown.
  var capturedAt: String?
  var timeZone: String?
  var place: Place?

  private enum CodingKeys: String, CodingKey {
    case requestID = "request_id"
    case kind, note, place
    case capturedAt = "captured_at"
    case timeZone = "time_zone"
  }
}

/// One file, whole.
struct StoredMedia: ReceiptedUpload, Hashable, Sendable {
  var id: String
  /// copy, original or document.
  var role: UploadStep
  var type: String
  var bytes: [UInt8]
  /// Nil of an engine that makes no digests.
  var sha256: String?
}

/// One turn; it was taken on at the end of its request, and its answer exists from `readyAt` on.
struct StoredTurn: Hashable, Sendable {
  var requestID: String
  var mediaID: String
  var answer: String
  var readyAt: Instant
}

/// The text of one document, as far as it was read.
struct StoredText: Hashable, Sendable {
  var requestID: String
  var mediaID: String
  var content: DocumentText
}
