/// A field value with parameters, such as `form-data; name="file"; filename="a.jpg"`: RFC 9110
/// section 5.6.6.
package struct FieldParameters: Hashable, Sendable {
  /// What stands before the first semicolon, in lower case.
  package let value: String
  private let parameters: [HeaderField]

  /// What is malformed ends the parameters; those before it are kept.
  package init(_ field: String) {
    var rest = Substring(field)
    value = rest.prefix { $0 != ";" }.trimmed().lowercased()
    rest = rest.drop { $0 != ";" }
    var parameters: [HeaderField] = []
    while rest.first == ";" {
      rest = rest.dropFirst().trimmed()
      guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == ";" }) else { break }
      // A semicolon with nothing before it is read over.
      guard rest[equals] == "=" else {
        rest = rest[equals...]
        continue
      }
      let name = String(rest[..<equals].trimmed())
      rest = rest[rest.index(after: equals)...].trimmed()
      guard let value = Self.takeValue(&rest) else { break }
      parameters.append(HeaderField(name, value))
      rest = rest.trimmed()
    }
    self.parameters = parameters
  }

  /// The value of the first parameter of that name.
  package subscript(_ name: String) -> String? {
    parameters.first(name)
  }

  /// A token or a quoted string; nil when its closing quote is missing.
  private static func takeValue(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let token = rest.prefix { $0 != ";" }
      rest = rest[token.endIndex...]
      return String(token.trimmed())
    }
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.popFirst() {
      switch character {
      case "\"": return text
      // Browsers and curl send a quote as %22, and a Windows path with its backslashes bare.
      case "\\" where rest.first == "\"" || rest.first == "\\":
        if let escaped = rest.popFirst() { text.append(escaped) }
      default: text.append(character)
      }
    }
    return nil
  }
}
