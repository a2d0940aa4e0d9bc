/// What asks the engine to read one file of a moment: the body of a turn, and of a text.
struct ReadingRequest: Decodable {
  var requestID: String
  var mediaID: String

  private enum CodingKeys: String, CodingKey {
    case requestID = "request_id"
    case mediaID = "media_id"
  }

  init(_ body: [UInt8]) throws(Refusal) {
    self = try JSONBody.read(Self.self, from: body)
    try JSONBody.checkID(requestID, "request_id")
    try JSONBody.checkID(mediaID, "media_id")
  }
}
