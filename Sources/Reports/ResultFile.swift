import JSON

/// `result.json`: a run record as others read it.
///
/// Keys are sorted, and none is left out: what was not measured is null. A field may be added
/// within one schema number; none changes its meaning or goes away.
package enum ResultFile {
  package static let name = "result.json"
  package static let schemaNumber = 1
  /// No count, size or time that is read is larger, to either side: the fastest link takes half a day
  /// for as many bytes, and the sums over all runs of a comparison have room.
  static let numberMax = 10_000_000_000_000
  static let numberBound = "a number of at most \(numberMax)"

  package static func text(of record: RunRecord) -> String {
    guard case .object(var object) = record.json else { return record.json.text }
    object["schema"] = JSONValue(schemaNumber)
    return JSONValue.object(object).text
  }

  /// The same on one line, for a stream of several results.
  package static func line(of record: RunRecord) -> String {
    guard case .object(var object) = record.json else { return record.json.line }
    object["schema"] = JSONValue(schemaNumber)
    return JSONValue.object(object).line
  }

  /// Reads a result back; fields that it does not know are passed over.
  ///
  /// Throws `JSONError` with line and column, or ``ResultFileError`` with the field's path.
  package static func record(from text: String) throws -> RunRecord {
    let json = try JSONValue(parsing: text)
    guard case .object(let object) = json, let schema = object["schema"] else {
      throw ResultFileError("schema", "is missing; a result of onebar states it")
    }
    guard schema == JSONValue(schemaNumber) else {
      throw ResultFileError(
        "schema",
        "expected \(schemaNumber), found \(schema.kind); run the scenario again with this version")
    }
    let record = try RunRecord(json: json, at: "")
    var names: Set<String> = []
    if let twice = record.variants.first(where: { !names.insert($0.name).inserted }) {
      throw ResultFileError("variants", "two have the name \(twice.name)")
    }
    return record
  }

  /// The JSON Schema (draft 2020-12) of what ``text(of:)`` writes.
  package static var jsonSchema: String {
    RunRecord.document(
      schema: schemaNumber, title: "A result of onebar. Times are link seconds, sizes are bytes.")
  }
}

extension ResultObject {
  /// The JSON Schema of a file that holds one of these, and states the number of its schema.
  static func document(schema number: Int, title: String) -> String {
    guard case .object(var object) = schema,
      case .object(var properties)? = object["properties"],
      case .array(let required)? = object["required"]
    else { return schema.text }
    properties["schema"] = .object(["const": JSONValue(number)])
    object["properties"] = .object(properties)
    object["required"] = .array([.string("schema")] + required)
    object["$schema"] = .string("https://json-schema.org/draft/2020-12/schema")
    object["title"] = .string(title)
    return JSONValue.object(object).text
  }
}
