import Quantities

/// A photo that was staged under its own request id, until an encounter names it.
struct StagedUpload: ReceiptedUpload, Hashable, Sendable {
  var id: String
  var bytes: [UInt8]
  /// Nil of an engine that makes no digests.
  var sha256: String?
  /// The encounter that names it.
  var encounter: String?
}

/// One act of the second capture flow: a record, and the staged uploads that it names.
struct Encounter: Hashable, Sendable {
  /// Minted here, in order of storing.
  var id: String
  var content: EncounterRecord
}

/// What the client said of an encounter; a repeat has the same content when these fields are equal.
struct EncounterRecord: Hashable, Sendable, Decodable {
  var record: MomentRecord
  /// Ids of staged uploads, in the client's order.
  var staged: [String]

  private enum CodingKeys: String, CodingKey {
    case staged
  }

  init(from decoder: any Decoder) throws {
    record = try MomentRecord(from: decoder)
    staged = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .staged)
  }
}
