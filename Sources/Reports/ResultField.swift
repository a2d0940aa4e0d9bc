import JSON

/// Why a JSON document is no result: which field, and what was expected of it.
package struct ResultFileError: Error, Hashable, CustomStringConvertible {
  package var description: String

  init(_ path: String, _ reason: String) {
    description = path.isEmpty ? reason : "\(path): \(reason)"
  }
}

/// A value that a result holds: how it is written, read back and described.
protocol ResultValue {
  /// Its part of the JSON Schema.
  static var schema: JSONValue { get }
  /// Stands for a value that the file does not have; nil when the file must have it.
  static var absent: Self? { get }

  init(json: JSONValue, at path: String) throws(ResultFileError)
  var json: JSONValue { get }
}

extension ResultValue {
  static var absent: Self? { nil }

  static func mismatch(_ expected: String, _ json: JSONValue, _ path: String) -> ResultFileError {
    ResultFileError(path, "expected \(expected), found \(json.kind)")
  }
}

/// A record: an object with one list of fields, which drives writing, reading and the schema.
protocol ResultObject: ResultValue {
  /// What reading fills in; no field of it survives.
  static var blank: Self { get }
  static var fields: [ResultField<Self>] { get }
}

/// One field of a record: its key, where it is kept, and what it means.
struct ResultField<Record> {
  let name: String
  let about: String
  let schema: JSONValue
  let write: (Record) -> JSONValue
  let read: (inout Record, JSONValue?, String) throws(ResultFileError) -> Void

  init<Value: ResultValue>(
    _ name: String, _ keyPath: WritableKeyPath<Record, Value>, _ about: String = ""
  ) {
    self.name = name
    self.about = about
    schema = Value.schema
    write = { $0[keyPath: keyPath].json }
    read = { (record, json, path) throws(ResultFileError) in
      if let json {
        record[keyPath: keyPath] = try Value(json: json, at: path)
      } else if let absent = Value.absent {
        record[keyPath: keyPath] = absent
      } else {
        throw ResultFileError(path, "is missing")
      }
    }
  }
}

extension ResultObject {
  static var schema: JSONValue {
    var properties: [String: JSONValue] = [:]
    let fields = fields
    for field in fields {
      guard case .object(var described) = field.schema, !field.about.isEmpty else {
        properties[field.name] = field.schema
        continue
      }
      described["description"] = .string(field.about)
      properties[field.name] = .object(described)
    }
    return .object([
      "type": .string("object"), "properties": .object(properties),
      "required": .array(fields.map { .string($0.name) }),
    ])
  }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .object(let object) = json else { throw Self.mismatch("an object", json, path) }
    var record = Self.blank
    for field in Self.fields {
      let inner = path.isEmpty ? field.name : "\(path).\(field.name)"
      try field.read(&record, object[field.name], inner)
    }
    self = record
  }

  var json: JSONValue {
    var object: [String: JSONValue] = [:]
    for field in Self.fields { object[field.name] = field.write(self) }
    return .object(object)
  }
}

extension Optional: ResultValue where Wrapped: ResultValue {
  static var schema: JSONValue { .object(["anyOf": .array([Wrapped.schema, typed("null")])]) }
  static var absent: Self? { .some(.none) }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    self = json == .null ? .none : try Wrapped(json: json, at: path)
  }

  var json: JSONValue { self?.json ?? .null }
}

extension Array: ResultValue where Element: ResultValue {
  static var schema: JSONValue {
    .object(["type": .string("array"), "items": Element.schema])
  }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .array(let values) = json else { throw Self.mismatch("a list", json, path) }
    self = []
    for (index, value) in values.enumerated() {
      append(try Element(json: value, at: "\(path)[\(index)]"))
    }
  }

  var json: JSONValue { .array(map(\.json)) }
}

extension Int: ResultValue {
  static var schema: JSONValue { typed("integer") }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .number(let text) = json, let value = Int(text) else {
      throw Self.mismatch("a whole number", json, path)
    }
    guard value.magnitude <= ResultFile.numberMax else {
      throw Self.mismatch(ResultFile.numberBound, json, path)
    }
    self = value
  }

  var json: JSONValue { JSONValue(self) }
}

extension UInt64: ResultValue {
  static var schema: JSONValue { typed("integer") }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .number(let text) = json, let value = UInt64(text) else {
      throw Self.mismatch("a whole number from 0", json, path)
    }
    self = value
  }

  var json: JSONValue { .number(String(self)) }
}

extension Double: ResultValue {
  static var schema: JSONValue { typed("number") }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .number(let text) = json, let value = Double(text), value.isFinite else {
      throw Self.mismatch("a number", json, path)
    }
    guard value.magnitude <= Double(ResultFile.numberMax) else {
      throw Self.mismatch(ResultFile.numberBound, json, path)
    }
    self = value
  }

  var json: JSONValue { JSONValue(self) }
}

extension Bool: ResultValue {
  static var schema: JSONValue { typed("boolean") }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .bool(let value) = json else { throw Self.mismatch("true or false", json, path) }
    self = value
  }

  var json: JSONValue { .bool(self) }
}

extension String: ResultValue {
  static var schema: JSONValue { typed("string") }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .string(let value) = json else { throw Self.mismatch("a text", json, path) }
    self = value
  }

  var json: JSONValue { .string(self) }
}

/// A choice of words.
protocol ResultWord: ResultValue, RawRepresentable, CaseIterable where RawValue == String {}

extension ResultWord {
  static var schema: JSONValue {
    .object(["type": .string("string"), "enum": .array(allCases.map { .string($0.rawValue) })])
  }

  init(json: JSONValue, at path: String) throws(ResultFileError) {
    guard case .string(let word) = json, let value = Self(rawValue: word) else {
      let words = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw Self.mismatch("one of \(words)", json, path)
    }
    self = value
  }

  var json: JSONValue { .string(rawValue) }
}

private func typed(_ name: String) -> JSONValue { .object(["type": .string(name)]) }
