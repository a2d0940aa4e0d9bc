import ScratchHTTP

/// JSON to be written, with its keys in the order given, so that equal values are equal bytes.
indirect enum JSONText: Sendable {
  case string(String)
  case integer(Int)
  case number(Double)
  case bool(Bool)
  case null
  case array([JSONText])
  case object([(String, JSONText)])

  /// Nil becomes null.
  static func optional(_ text: String?) -> JSONText {
    text.map { .string($0) } ?? .null
  }

  static func optional(_ integer: Int?) -> JSONText {
    integer.map { .integer($0) } ?? .null
  }

  static func optional(_ number: Double?) -> JSONText {
    number.map { .number($0) } ?? .null
  }

  /// What was stored of an upload.
  static func receipt(_ id: String, bytes: Int, sha256: String?, replay: Bool) -> JSONText {
    .object([
      ("id", .string(id)), ("bytes", .integer(bytes)), ("sha256", .optional(sha256)),
      ("replayed", .bool(replay)),
    ])
  }

  /// RFC 8259, without white space.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Adds it to the text, so that a long one is made in one piece.
  func write(to text: inout String) {
    switch self {
    case .string(let string): Self.quote(string, to: &text)
    case .integer(let integer): text += "\(integer)"
    // JSON has no infinity and no NaN.
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .null: text += "null"
    case .array(let items):
      text += "["
      for (place, item) in items.enumerated() {
        if place > 0 { text += "," }
        item.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (place, (name, value)) in members.enumerated() {
        if place > 0 { text += "," }
        Self.quote(name, to: &text)
        text += ":"
        value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Most of them need no escapes, and then are added whole.
    guard string.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }) else {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension ServerAnswer {
  static func json(_ status: Int, _ json: JSONText, fields: [HeaderField] = []) -> ServerAnswer {
    ServerAnswer(
      status: status, fields: [HeaderField("Content-Type", "application/json")] + fields,
      body: Array(json.text.utf8))
  }
}
