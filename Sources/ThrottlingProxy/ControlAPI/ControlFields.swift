import JSON

/// The fields of one object in a request's body, read by name and type.
///
/// Unknown keys are read over, null is as good as nothing, and case is overlooked, as the
/// protocol's other servers do. A wrong type is a ``ControlRefusal`` that names the key.
struct ControlFields {
  private let fields: [String: JSONValue]
  /// What stands before a key in messages, such as `attributes.`.
  private let path: String

  init(_ value: JSONValue, at path: String = "") throws(ControlRefusal) {
    self.path = path
    switch value {
    case .object(let fields): self.fields = fields
    case .null: fields = [:]
    default:
      let place = path.isEmpty ? "the body" : String(path.dropLast())
      throw .badBody("\(place) must be an object, not \(value.kind)")
    }
  }

  private init() {
    (fields, path) = ([:], "")
  }

  static let none = ControlFields()

  /// Reads a whole body.
  static func body(_ bytes: [UInt8]) throws(ControlRefusal) -> JSONValue {
    guard !bytes.isEmpty else { throw .badBody("EOF") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badBody("it is not UTF-8")
    }
    do {
      return try JSONValue(parsing: text)
    } catch {
      throw .badBody("\(error)")
    }
  }

  subscript(key: String) -> JSONValue? {
    let value =
      fields[key]
      ?? fields.keys.filter { $0.lowercased() == key }.min().flatMap { fields[$0] }
    return value == .null ? nil : value
  }

  func object(_ key: String) throws(ControlRefusal) -> ControlFields {
    guard let value = self[key] else { return .none }
    return try ControlFields(value, at: "\(path)\(key).")
  }

  func string(_ key: String) throws(ControlRefusal) -> String? {
    guard let value = self[key] else { return nil }
    guard case .string(let text) = value else { throw wrong(key, "a text", value) }
    guard text.utf8.count <= ControlLimits.name else {
      throw .badBody("\(path)\(key) must have at most \(ControlLimits.name) bytes")
    }
    return text
  }

  func bool(_ key: String) throws(ControlRefusal) -> Bool? {
    guard let value = self[key] else { return nil }
    guard case .bool(let flag) = value else { throw wrong(key, "true or false", value) }
    return flag
  }

  /// A whole number from `least` on.
  func integer(_ key: String, from least: Int = 0) throws(ControlRefusal) -> Int? {
    guard let value = self[key] else { return nil }
    guard case .number(let text) = value, let number = Int(text) else {
      throw wrong(key, "a whole number", value)
    }
    guard number >= least else { throw tooSmall(key, "\(least)", value) }
    return number
  }

  /// A number, with a fraction or without, from zero on.
  func number(_ key: String) throws(ControlRefusal) -> Double? {
    guard let value = self[key] else { return nil }
    // A thousand times it has to be a number, too.
    guard case .number(let text) = value, let number = Double(text), number < 1e300 else {
      throw wrong(key, "a number", value)
    }
    guard number >= 0 else { throw tooSmall(key, "0", value) }
    return number
  }

  func wrong(_ key: String, _ wanted: String, _ value: JSONValue) -> ControlRefusal {
    .badBody("\(path)\(key) must be \(wanted), not \(value.kind)")
  }

  private func tooSmall(_ key: String, _ least: String, _ value: JSONValue) -> ControlRefusal {
    .badBody("\(path)\(key) must be at least \(least), not \(value.kind)")
  }
}
