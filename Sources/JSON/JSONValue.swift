/// A JSON value (RFC 8259), with one text for each value.
///
/// Foundation's encoder drops what is nil unless each container is written by hand, and its decoder
/// states no position and takes a repeated key in silence. Here one list of fields drives writing,
/// reading and the schema, so the value between them is our own.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As it is written, so that an integer of 64 bits stays exact.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(_ value: Int) {
    self = .number(String(value))
  }

  /// The shortest text that reads back as the same number; null when it is not finite.
  package init(_ value: Double) {
    guard value.isFinite else {
      self = .null
      return
    }
    let text = String(describing: value)
    self = .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  /// Two spaces a level, keys in the order of their bytes, and a newline at the end.
  package var text: String {
    var out = ""
    write(into: &out, indent: "")
    return out + "\n"
  }

  /// The same without a blank or a line end outside of strings.
  package var line: String {
    var out = ""
    write(into: &out, indent: nil)
    return out
  }

  /// Nil for no indentation, and all on one line.
  private func write(into out: inout String, indent: String?) {
    let inner = indent.map { $0 + "  " }
    let (start, end) = (inner.map { "\n" + $0 } ?? "", indent.map { "\n" + $0 } ?? "")
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .number(let text): out += text
    case .string(let text): JSONText.quote(text, to: &out)
    case .array(let values):
      guard !values.isEmpty else { return out += "[]" }
      for (index, value) in values.enumerated() {
        out += (index == 0 ? "[" : ",") + start
        value.write(into: &out, indent: inner)
      }
      out += end + "]"
    case .object(let fields):
      guard !fields.isEmpty else { return out += "{}" }
      let colon = indent == nil ? ":" : ": "
      let sorted = fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (index, field) in sorted.enumerated() {
        out += (index == 0 ? "{" : ",") + start
        JSONText.quote(field.key, to: &out)
        out += colon
        field.value.write(into: &out, indent: inner)
      }
      out += end + "}"
    }
  }

  /// What kind of value it is, in words for an error.
  package var kind: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): "the number \(text)"
    case .string(let text): "the text \(JSONText.string(String(text.prefix(40))).text)"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
