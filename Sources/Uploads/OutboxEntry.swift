package import Captures

/// One capture in the outbox: its record, as it stands on disk.
///
/// A repeat sends exactly this again. A send leaves no mark here before it has landed, so a client
/// that is killed in the middle of one has nothing to undo.
package struct OutboxEntry: Hashable, Sendable, Codable {
  /// The version of the record that this client writes.
  package static let schema = 2
  /// The versions that it reads: 1 knew no plates, and is the same otherwise.
  package static let schemasRead = 1...schema

  package enum Kind: String, Hashable, Sendable, Codable {
    case photo, document, plate
  }

  package var schema = OutboxEntry.schema
  /// Capture order: the outbox counts, no clock does.
  package var sequence: Int
  /// The entry's id, and the client request id of its record.
  package var id: String
  package var capture: String
  package var kind: Kind
  /// The ULID of the moment on the engine; a plate becomes none.
  package var moment: String
  package var turn: String
  package var text: String
  package var note: String
  /// RFC 3339 with offset; without one when the photo that tells the time does not tell it.
  package var capturedAt: String
  /// An identifier of the time-zone database, such as `Europe/Paris`.
  package var timeZone: String
  package var place: Place?
  /// In the order in which they are sent.
  package var files: [OutboxFile]
  /// The steps that have landed, in the order in which they did.
  package var done: [StepName] = []
  /// Why it is parked; nil while it may be sent.
  package var refused: String?
  /// What parked it, while it is; nil where the engine refused it.
  package var parking: Parking?
  /// What was refused is a file of it, which no further try would change.
  package var refusedFile: Bool?
  /// The file that a ceiling has cut, while the entry is held for it.
  package var held: StepName?
  /// Whole bodies of the next file that were refused without being refused for good.
  package var refusedBodies: Int?
  /// The client request id of its record, where each try mints its own; else it is the entry's id.
  package var renewedID: String?

  package init(
    sequence: Int, id: String, capture: String, kind: Kind, moment: String, turn: String,
    text: String, note: String, capturedAt: String, timeZone: String, place: Place?,
    files: [OutboxFile]
  ) {
    self.sequence = sequence
    self.id = id
    self.capture = capture
    self.kind = kind
    self.moment = moment
    self.turn = turn
    self.text = text
    self.note = note
    self.capturedAt = capturedAt
    self.timeZone = timeZone
    self.place = place
    self.files = files
  }
}

extension OutboxEntry {
  /// The step that sends each file, by the file's id on the engine; only ever looked up.
  package var media: [String: StepName] {
    files.reduce(into: [:]) { $0[$1.media] = $1.step }
  }

  /// The client request id of its record, or of its encounter.
  package var requestID: String { renewedID ?? id }

  /// Lets it be sent again, whatever has kept it back.
  package mutating func release() {
    refused = nil
    parking = nil
    refusedFile = nil
    held = nil
    refusedBodies = nil
  }

  /// Names a step anew, as a client does that mints its ids when it sends.
  ///
  /// What has landed keeps the ids under which it did.
  package mutating func renew(_ step: PlannedStep, as identity: MomentIdentity) {
    switch step {
    case .record:
      moment = identity.moment
      renewedID = identity.entry
    case .file(let file):
      for (index, media) in zip(files.indices, identity.media) where files[index] == file {
        files[index].media = media
      }
    case .turn: turn = identity.turn
    case .text: text = identity.text
    case .encounter: renewedID = identity.entry
    case .readback: break
    }
  }
}

/// One file of an entry, kept beside the record.
package struct OutboxFile: Hashable, Sendable, Codable {
  /// copy, original or document, or which photo of a plate it is.
  package var step: StepName
  /// Its id on the engine.
  package var media: String
  /// Its name inside the folder of the outbox.
  package var name: String
  package var bytes: Int
  /// Lowercase hexadecimal digits, of the bytes that were kept at commit.
  package var sha256: String
  /// The media type, such as `image/jpeg`.
  package var type: String

  package init(
    step: StepName, media: String, name: String, bytes: Int, sha256: String, type: String
  ) {
    self.step = step
    self.media = media
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
    self.type = type
  }
}
