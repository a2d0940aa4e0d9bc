/// What a value of a scenario file may look like: the part of the JSON Schema that one value needs.
indirect enum Schema: Sendable {
  /// Text in one of the forms of a pattern; the example goes into messages and into the editor.
  case text(pattern: String?, example: String)
  /// Text that an editor may show as a number.
  case whole(example: String)
  case degrees
  case factor(example: String)
  case words([String])
  case list(Schema, count: ClosedRange<Int>)
  /// Keys that the format knows.
  case record([KnownField], oneOf: [String])
  /// Keys that the author chooses.
  case named(Schema, keyPattern: String)
  case anyOf([Schema])

  /// A value of this shape, as a message shows it.
  var example: String {
    switch self {
    case .text(_, let example), .whole(let example), .factor(let example): example
    case .degrees: "48.8583"
    case .words(let words): words.first ?? ""
    case .list(let item, _): "[\(item.example)]"
    case .record(let fields, _):
      if case let keys = fields.filter(\.required).map(\.key), !keys.isEmpty {
        "{ \(keys.map { "\($0): ..." }.joined(separator: ", ")) }"
      } else {
        "{ ... }"
      }
    case .named: "{ ... }"
    case .anyOf(let schemas): schemas.first?.example ?? ""
    }
  }
}

/// A key as the schema and the messages need it, whatever the type of its value.
struct KnownField: Sendable {
  var key: String
  var required: Bool
  var substitute: String?
  var summary: String
  var schema: Schema
  /// Why the key is refused, when it is reserved for a later version; the schema leaves it out.
  var refusal: String?
}
