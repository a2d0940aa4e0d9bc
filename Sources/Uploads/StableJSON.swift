import FoundationEssentials

/// JSON with sorted keys: the same value has the same bytes, so that a repeat is a true repeat.
func stableJSON(_ value: some Encodable) throws -> [UInt8] {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return Array(try encoder.encode(value))
}

/// The answer's body as a JSON value of that shape; nil when it is none.
func readJSON<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
  try? JSONDecoder().decode(type, from: Data(bytes))
}
