import JSON

/// The JSON Schema of scenario files, made from the same description of keys as the decoder.
///
/// Draft 7, which editors know best. Every scalar may be written as text; where editors read a text
/// as a number, numbers are allowed too.
package enum ScenarioSchema {
  /// The name of the file beside the scenarios, as their first lines give it.
  package static let fileName = "scenario.schema.json"

  /// The text of that file, with a line break at its end.
  package static var text: String {
    var members: [(String, JSONText)] = [
      ("$schema", .string("http://json-schema.org/draft-07/schema#")),
      ("title", .string("A scenario of onebar")),
      (
        "description",
        .string("1 KB is 1,000 bytes; rates are bytes per second; every value has its unit.")
      ),
    ]
    members += json(ScenarioKeys.reading.schema)
    return JSONText.object(members).indented + "\n"
  }

  private static func json(_ schema: Schema) -> [(String, JSONText)] {
    switch schema {
    case .text(let pattern, let example):
      let members: [(String, JSONText)] = [
        ("type", .string("string")), ("examples", .array([.string(example)])),
      ]
      return members + (pattern.map { [("pattern", .string($0))] } ?? [])
    case .whole(let example):
      return [("type", .string("integer")), ("examples", .array([.literal(example)]))]
    case .factor(let example):
      return [("type", .string("number")), ("examples", .array([.literal(example)]))]
    case .degrees: return [("type", .string("number"))]
    case .words(let words): return [("enum", .array(words.map { .string($0) }))]
    case .list(let item, let count):
      return [
        ("type", .string("array")), ("items", .object(json(item))),
        ("minItems", .integer(count.lowerBound)),
        ("maxItems", .integer(count.upperBound)),
      ]
    case .record(let fields, let oneOf): return record(fields, oneOf: oneOf)
    case .named(let item, let keyPattern):
      return [
        ("type", .string("object")),
        ("propertyNames", .object([("pattern", .string(keyPattern))])),
        ("additionalProperties", .object(json(item))),
      ]
    case .anyOf(let schemas): return [("anyOf", .array(schemas.map { .object(json($0)) }))]
    }
  }

  private static func record(
    _ fields: [KnownField], oneOf: [String]
  ) -> [(String, JSONText)] {
    var members: [(String, JSONText)] = [
      ("type", .string("object")), ("additionalProperties", .bool(false)),
    ]
    func required(_ keys: [String]) -> (String, JSONText) {
      ("required", .array(keys.map { .string($0) }))
    }
    let always = fields.filter { $0.required && $0.substitute == nil }
    if !always.isEmpty { members.append(required(always.map(\.key))) }
    if !oneOf.isEmpty {
      members.append(("oneOf", .array(oneOf.map { .object([required([$0])]) })))
    }
    let replaceable = fields.filter { $0.required && $0.substitute != nil }
    if let substitute = replaceable.first?.substitute {
      let ways = [[substitute], replaceable.map(\.key)]
      members.append(("anyOf", .array(ways.map { .object([required($0)]) })))
    }
    let properties = fields.map { field in
      (field.key, JSONText.object([("description", .string(field.summary))] + json(field.schema)))
    }
    members.append(("properties", .object(properties)))
    return members
  }
}
