import Quantities

// How scalars without a unit are read, each with its form and the pattern that editors check.

extension Reading where Value == UInt64 {
  static func whole(_ range: ClosedRange<UInt64>, example: String) -> Reading {
    .scalar(.whole(example: example)) { text throws(Refusal) in
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw Refusal(.notWhole(text, example: example))
      }
      guard let number = UInt64(text), range.contains(number) else {
        throw Refusal(
          .outOfRange(text, least: "\(range.lowerBound)", most: "\(range.upperBound)"))
      }
      return number
    }
  }
}

extension Reading where Value == Double {
  /// A number by which something is multiplied.
  static func factor(_ range: ClosedRange<Double>, example: String) -> Reading {
    .scalar(.factor(example: example)) { text throws(Refusal) in
      guard text.first?.isNumber == true,
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
        let factor = Double(text)
      else { throw Refusal(.notFactor(text, example: example)) }
      return try within(range, factor, as: text) { trimmed($0, decimals: 3) }
    }
  }

  static func degrees(_ range: ClosedRange<Double>) -> Reading {
    .scalar(.degrees) { text throws(Refusal) in
      let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
      guard digits.first?.isNumber == true,
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
        let degrees = Double(text)
      else { throw Refusal(.notDegrees(text)) }
      return try within(range, degrees, as: text) { trimmed($0, decimals: 0) }
    }
  }
}

extension Reading where Value == String {
  /// One line of text for people.
  static func text(example: String) -> Reading {
    .scalar(.text(pattern: nil, example: example)) { text throws(Refusal) in
      guard text.contains(where: { !$0.isWhitespace }) else { throw Refusal(.emptyText) }
      guard text.count <= ScenarioLimits.nameCharacters else {
        throw Refusal(.tooLong(characters: text.count, most: ScenarioLimits.nameCharacters))
      }
      guard !holdsControls(text) else { throw Refusal(.controlCharacter) }
      return text
    }
  }

  /// A name that becomes the name of a file or a column.
  static var identifier: Reading {
    .scalar(.text(pattern: identifierPattern, example: "photo-1")) { text throws(Refusal) in
      guard isIdentifier(text) else { throw Refusal(.notIdentifier(text)) }
      return text
    }
  }

  /// RFC 3339 with offset, whole seconds: as a camera writes it.
  static var moment: Reading {
    .scalar(.text(pattern: momentPattern, example: "2026-05-04T19:12:33+02:00")) {
      text throws(Refusal) in
      guard isMoment(text) else { throw Refusal(.notMoment(text)) }
      return text
    }
  }

  static func word(_ words: [String]) -> Reading {
    .scalar(.words(words)) { text throws(Refusal) in
      guard words.contains(text) else { throw Refusal(.unknownWord(text, known: words)) }
      return text
    }
  }

  /// A path of a request, with `*` for any characters.
  static func path(example: String) -> Reading {
    .scalar(.text(pattern: "^[/*]", example: example)) { text throws(Refusal) in
      guard text.count <= ScenarioLimits.nameCharacters else {
        throw Refusal(.tooLong(characters: text.count, most: ScenarioLimits.nameCharacters))
      }
      guard text.first == "/" || text.first == "*",
        !text.contains(where: { $0 == "?" || $0 == " " })
      else { throw Refusal(.notPath(text)) }
      guard !holdsControls(text) else { throw Refusal(.controlCharacter) }
      return text
    }
  }

  /// Text of any kind, on any number of lines.
  static func content(example: String) -> Reading {
    .scalar(.text(pattern: nil, example: example)) { text throws(Refusal) in
      guard text.count <= ScenarioLimits.scriptedBodyCharacters else {
        throw Refusal(
          .tooLong(characters: text.count, most: ScenarioLimits.scriptedBodyCharacters))
      }
      return text
    }
  }

  /// A line of a header; RFC 9110 section 5.5 allows no control characters in it.
  static var headerValue: Reading {
    .scalar(.anyOf([.text(pattern: nil, example: "30"), .whole(example: "30")])) {
      text throws(Refusal) in
      guard text.count <= ScenarioLimits.nameCharacters else {
        throw Refusal(.tooLong(characters: text.count, most: ScenarioLimits.nameCharacters))
      }
      guard !holdsControls(text) else { throw Refusal(.controlCharacter) }
      return text
    }
  }
}

extension Reading
where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of the words of an enum.
  static var oneOfItsWords: Reading {
    let values = Array(Value.allCases)
    let words = values.map(\.rawValue)
    return .scalar(.words(words)) { text throws(Refusal) in
      guard let value = values.first(where: { $0.rawValue == text }) else {
        throw Refusal(.unknownWord(text, known: words))
      }
      return value
    }
  }
}

extension Reading where Value == Bool {
  static var yesOrNo: Reading {
    .scalar(.words(["yes", "no"])) { text throws(Refusal) in
      guard ["yes", "no"].contains(text) else {
        throw Refusal(.unknownWord(text, known: ["yes", "no"]))
      }
      return text == "yes"
    }
  }
}

private let momentPattern = #"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$"#
let identifierPattern = "^[a-z][a-z0-9-]{0,\(ScenarioLimits.identifierCharacters - 1)}$"

func isIdentifier(_ text: String) -> Bool {
  guard let first = text.utf8.first, (0x61...0x7a).contains(first),
    text.utf8.count <= ScenarioLimits.identifierCharacters
  else { return false }
  return text.utf8.allSatisfy {
    (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
  }
}

/// The characters of a header's name: a token of RFC 9110 section 5.6.2.
func isToken(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.count <= ScenarioLimits.nameCharacters
    && text.utf8.allSatisfy {
      (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0) || (0x30...0x39).contains($0)
        || "!#$%&'*+-.^_`|~".utf8.contains($0)
    }
}

func holdsControls(_ text: String) -> Bool {
  text.unicodeScalars.contains { $0.properties.generalCategory == .control }
}

/// A date that exists, a time of day and an offset, in the form of RFC 3339 section 5.6.
private func isMoment(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  guard bytes.count == 20 || bytes.count == 25 else { return false }
  let pattern = bytes.count == 20 ? "0000-00-00T00:00:00Z" : "0000-00-00T00:00:00+00:00"
  for (byte, form) in zip(bytes, pattern.utf8) {
    switch form {
    case UInt8(ascii: "0"): if !(0x30...0x39).contains(byte) { return false }
    case UInt8(ascii: "+"):
      if byte != UInt8(ascii: "+") && byte != UInt8(ascii: "-") { return false }
    default: if byte != form { return false }
    }
  }
  func number(_ range: Range<Int>) -> Int {
    bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }
  let year = number(0..<4)
  let month = number(5..<7)
  let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  guard (1...12).contains(month), (1...days[month - 1]).contains(number(8..<10)),
    number(11..<13) < 24, number(14..<16) < 60, number(17..<19) < 60
  else { return false }
  return bytes.count == 20 || (number(20..<22) < 24 && number(23..<25) < 60)
}
