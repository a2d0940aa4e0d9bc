/// Why a text is no JSON: where, and what was expected there.
package struct JSONError: Error, Hashable, CustomStringConvertible {
  /// Both count from 1; the column counts bytes.
  package var line: Int
  package var column: Int
  package var reason: String

  package var description: String { "\(line):\(column): \(reason)" }
}

extension JSONValue {
  /// Reads a whole text as RFC 8259 has it.
  ///
  /// Throws with line and column at the first byte that does not fit, at a repeated key, and beyond
  /// the limits of ``JSONReader``.
  package init(parsing text: String) throws(JSONError) {
    var reader = JSONReader(Array(text.utf8))
    self = try reader.document()
  }
}

/// Reads JSON from bytes, strictly.
struct JSONReader {
  /// A result of an hour is about 1 MB; this only keeps a wrong file from filling the memory.
  static let byteLimit = 64_000_000
  /// A result is 6 deep.
  static let depthLimit = 64

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws(JSONError) -> JSONValue {
    guard bytes.count <= JSONReader.byteLimit else {
      throw error("the text is longer than \(JSONReader.byteLimit) bytes")
    }
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw error("expected the end of the text") }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ reason: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    return JSONError(line: line, column: position - lineStart + 1, reason: reason)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      position += 1
    }
  }

  /// Steps over `byte` when it stands next, and says whether it did.
  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth <= JSONReader.depthLimit else {
      throw error("nested deeper than \(JSONReader.depthLimit)")
    }
    skipSpace()
    guard let byte = next else { throw error("the text ends where a value should be") }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error("expected a value")
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw error("expected \(word)") }
    position += word.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var fields: [String: JSONValue] = [:]
    skipSpace()
    if take("}") { return .object(fields) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
      let keyPosition = position
      let key = try string()
      skipSpace()
      guard take(":") else { throw error("expected a colon after \"\(key)\"") }
      let value = try value(depth: depth + 1)
      guard fields.updateValue(value, forKey: key) == nil else {
        position = keyPosition
        throw error("the key \"\(key)\" stands twice")
      }
      skipSpace()
    } while take(",")
    guard take("}") else { throw error("expected a comma or the end of the object") }
    return .object(fields)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    position += 1
    var values: [JSONValue] = []
    skipSpace()
    if take("]") { return .array(values) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw error("expected a comma or the end of the list") }
    return .array(values)
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw error("expected a digit") }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let whole = String(validating: text, as: UTF8.self) else {
          throw error("the text before this is no UTF-8")
        }
        position += 1
        return whole
      case UInt8(ascii: "\\"):
        position += 1
        text += Array(String(Character(try escaped())).utf8)
      case 0..<0x20: throw error("a control character stands in a text; write it as \\u00..")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error("the text ends inside quotes")
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw error("the text ends inside quotes") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexUnit()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      // A scalar above U+FFFF is written as two units (RFC 8259, section 7).
      guard unit < 0xDC00, take("\\"), take("u") else { throw error("half of a surrogate pair") }
      let low = try hexUnit()
      guard (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
      else { throw error("half of a surrogate pair") }
      return scalar
    default:
      position -= 1
      throw error("no escape is written like this")
    }
  }

  private mutating func hexUnit() throws(JSONError) -> UInt32 {
    let digits = bytes[position..<min(position + 4, bytes.count)]
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16)
    else { throw error("expected four hexadecimal digits") }
    position += 4
    return unit
  }
}
