/// JSON to be written (RFC 8259), with its keys in the order given, so that equal values are equal
/// bytes.
///
/// What is read, compared or told apart by key is a ``JSONValue``.
package indirect enum JSONText: Sendable {
  case string(String)
  case integer(Int)
  case number(Double)
  /// A number as it stands.
  case literal(String)
  case bool(Bool)
  case null
  case array([JSONText])
  case object([(String, JSONText)])

  /// Nil becomes null.
  package static func optional(_ text: String?) -> JSONText {
    text.map { .string($0) } ?? .null
  }

  package static func optional(_ integer: Int?) -> JSONText {
    integer.map { .integer($0) } ?? .null
  }

  package static func optional(_ number: Double?) -> JSONText {
    number.map { .number($0) } ?? .null
  }

  /// Without white space.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// A line for each member of an object, two spaces a level; a list stays on its line.
  package var indented: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  /// Adds it to the text, so that a long one is made in one piece.
  package func write(to text: inout String) { write(to: &text, indent: nil) }

  /// Nil for no indentation, and no white space.
  private func write(to text: inout String, indent: String?) {
    switch self {
    case .string(let string): Self.quote(string, to: &text)
    case .integer(let integer): text += "\(integer)"
    // JSON has no infinity and no NaN.
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .literal(let literal): text += literal
    case .bool(let bool): text += bool ? "true" : "false"
    case .null: text += "null"
    case .array(let items):
      text += "["
      for (place, item) in items.enumerated() {
        if place > 0 { text += indent == nil ? "," : ", " }
        item.write(to: &text, indent: indent)
      }
      text += "]"
    case .object(let members):
      let inner = indent.map { $0 + "  " }
      text += "{"
      for (place, (name, value)) in members.enumerated() {
        if place > 0 { text += "," }
        if let inner { text += "\n" + inner }
        Self.quote(name, to: &text)
        text += indent == nil ? ":" : ": "
        value.write(to: &text, indent: inner)
      }
      if let indent, !members.isEmpty { text += "\n" + indent }
      text += "}"
    }
  }

  /// Adds a string in quotation marks, with the escapes that it needs.
  static func quote(_ string: String, to text: inout String) {
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
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
