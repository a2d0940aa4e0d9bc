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
  static func receipt(_ id: String, bytes: Int, sha256: String, replay: Bool) -> JSONText {
    .object([
      ("id", .string(id)), ("bytes", .integer(bytes)), ("sha256", .string(sha256)),
      ("replayed", .bool(replay)),
    ])
  }

  /// RFC 8259, without white space.
  var text: String {
    switch self {
    case .string(let string): Self.quoted(string)
    case .integer(let integer): "\(integer)"
    // JSON has no infinity and no NaN.
    case .number(let number): number.isFinite ? "\(number)" : "null"
    case .bool(let bool): bool ? "true" : "false"
    case .null: "null"
    case .array(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
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
    return text + "\""
  }
}

extension ServerAnswer {
  static func json(_ status: Int, _ json: JSONText, fields: [HeaderField] = []) -> ServerAnswer {
    ServerAnswer(
      status: status, fields: [HeaderField("Content-Type", "application/json")] + fields,
      body: Array(json.text.utf8))
  }
}
