import EventLoop
import JSON
package import ScratchHTTP

/// Why a request to the control API is not done: a status, and the text that clients are shown.
package struct ControlRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var status: Int
  package var message: String

  package var description: String { message }

  static let proxyNotFound = ControlRefusal(status: 404, message: "proxy not found")
  static let toxicNotFound = ControlRefusal(status: 404, message: "toxic not found")
  static let proxyExists = ControlRefusal(status: 409, message: "proxy already exists")
  static let toxicExists = ControlRefusal(status: 409, message: "toxic already exists")
  static let invalidStream = ControlRefusal(
    status: 400, message: "stream was invalid, can be either upstream or downstream")
  static let invalidType = ControlRefusal(status: 400, message: "invalid toxic type")

  static func badBody(_ reason: String) -> ControlRefusal {
    ControlRefusal(status: 400, message: "bad request body: \(reason)")
  }

  static func missingField(_ field: String) -> ControlRefusal {
    ControlRefusal(status: 400, message: "missing required field: \(field)")
  }

  static func limit(_ reason: String) -> ControlRefusal {
    ControlRefusal(status: 507, message: reason)
  }

  static func listening(on address: String, _ cause: String) -> ControlRefusal {
    ControlRefusal(status: 500, message: "listen tcp \(address): \(cause)")
  }

  var fields: [String: JSONValue] {
    ["error": .string(message), "status": JSONValue(status)]
  }

  package var answer: ServerAnswer {
    .json(status, .object(fields), lineEnd: true)
  }
}

extension ServerAnswer {
  static func json(_ status: Int, _ json: JSONValue, lineEnd: Bool = false) -> ServerAnswer {
    ServerAnswer(
      status: status, fields: [HeaderField("Content-Type", "application/json")],
      body: Array((json.line + (lineEnd ? "\n" : "")).utf8))
  }

  static func text(_ status: Int, _ text: String) -> ServerAnswer {
    ServerAnswer(
      status: status, fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
      body: Array((text + "\n").utf8))
  }
}
