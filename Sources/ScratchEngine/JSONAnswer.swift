import JSON
import ScratchHTTP

extension ServerAnswer {
  static func json(_ status: Int, _ json: JSONText, fields: [HeaderField] = []) -> ServerAnswer {
    ServerAnswer(
      status: status, fields: [HeaderField("Content-Type", "application/json")] + fields,
      body: Array(json.text.utf8))
  }
}

extension JSONText {
  /// What was stored of an upload.
  static func receipt(_ id: String, bytes: Int, sha256: String?, replay: Bool) -> JSONText {
    .object([
      ("id", .string(id)), ("bytes", .integer(bytes)), ("sha256", .optional(sha256)),
      ("replayed", .bool(replay)),
    ])
  }
}
