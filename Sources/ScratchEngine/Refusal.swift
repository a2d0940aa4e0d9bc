import JSON
import ScratchHTTP

/// A request that the engine will not do: status, and `{"error":{"code","message"}}`.
struct Refusal: Error, Hashable {
  var status: Int
  /// A word that a program can compare.
  var code: String
  /// A sentence for a person: the fact, and what to do.
  var message: String
  var fields: [HeaderField] = []

  var answer: ServerAnswer {
    let error = JSONText.object([("code", .string(code)), ("message", .string(message))])
    return .json(status, .object([("error", error)]), fields: fields)
  }
}

extension Refusal {
  init(_ fault: RequestFault) {
    // The same word as where the engine itself finds a body too large.
    let code = fault == .bodyTooLarge ? "body_too_large" : "bad_request"
    self.init(status: fault.status, code: code, message: fault.description)
  }

  static func bodyTooLarge(limit: Int) -> Refusal {
    Refusal(
      status: 413, code: "body_too_large", message: "The body is larger than \(limit) bytes.")
  }

  static let emptyBody = Refusal(
    status: 422, code: "empty_body", message: "The body is empty; send the file.")

  static let ledgerFull = Refusal(
    status: 503, code: "ledger_full",
    message: "The ledger holds no more requests; start the engine anew.")

  static func storeFull(_ what: String) -> Refusal {
    Refusal(
      status: 507, code: "store_full",
      message: "The engine holds no more \(what); start it anew.")
  }

  static func notKept(_ cause: String) -> Refusal {
    Refusal(
      status: 507, code: "not_kept",
      message: "The engine's folder does not take it: \(cause). Nothing is stored; send it again.")
  }

  static func unknownMoment(_ id: String) -> Refusal {
    Refusal(
      status: 404, code: "unknown_moment",
      message: "There is no moment \(id); send its record first.")
  }

  static func contentDiffers(_ what: String) -> Refusal {
    Refusal(
      status: 422, code: "content_differs",
      message: "\(what) is stored with other content; the first stays. Use a new id.")
  }

  static func invalidField(_ message: String) -> Refusal {
    Refusal(status: 422, code: "invalid_field", message: message)
  }
}
