import Quantities

/// Reads what is expected of a measure.
///
///     expected   = [ comparison ] quantity [ "+-" percent "%" ] | "each" number | word
///     comparison = "=" | "<=" | ">="
///     quantity   = number                      ; of what is counted: 7
///                | number unit                 ; bytes and times: 9.93 MB, 305.9 s
///     word       = "all" | "none" | "never"    ; landed: all, none; times: never
///
/// Without a comparison, `=` is meant. YAML takes a text that starts with `>` for the start of a
/// block, so that such a text stands in quotes.
struct ExpectationGrammar {
  let key: MeasureKey

  func parse(_ text: String) throws(Refusal) -> Expected {
    if key.words.contains(text) {
      switch text {
      case "all": return .all
      case "none": return .none
      default: return .never
      }
    }
    if text.hasPrefix("each ") {
      guard key.countsEach else { throw refusal(text) }
      return .each(try number(trim(text.dropFirst("each ".count)), of: text))
    }
    var rest = text[...]
    var comparison = Expected.Comparison.equal
    for candidate in [Expected.Comparison.atMost, .atLeast, .equal]
    where rest.hasPrefix(candidate.rawValue) {
      comparison = candidate
      rest = rest.dropFirst(candidate.rawValue.count)
      break
    }
    // A text of letters is a word that does not fit here, rather than a broken number.
    guard let first = trim(rest).first, !first.isLetter, !"<>=".contains(first) else {
      throw refusal(text)
    }
    var tolerance = 0.0
    if let sign = rest.firstRange(of: "+-") {
      tolerance = try percent(trim(rest[sign.upperBound...]), of: text)
      rest = rest[..<sign.lowerBound]
    }
    let value = try number(trim(rest), of: text)
    return .number(comparison, value, tolerancePercent: tolerance)
  }

  private func number(_ text: String, of whole: String) throws(Refusal) -> Double {
    switch key.unit {
    case .bytes:
      let size = try quantity(text) { text throws(QuantityError) in try ByteCount(parsing: text) }
      return Double(size.bytes)
    case .seconds:
      let time = try quantity(text) { text throws(QuantityError) in try Duration(parsing: text) }
      return time.inSeconds
    case .count:
      guard (1...9).contains(text.utf8.count),
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text)
      else { throw refusal(whole) }
      return Double(count)
    }
  }

  private func percent(_ text: String, of whole: String) throws(Refusal) -> Double {
    guard text.hasSuffix("%") else { throw refusal(whole) }
    let digits = trim(text.dropLast())
    guard digits.first?.isNumber == true, digits.utf8.count <= 9,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      let percent = Double(digits), percent <= 100
    else { throw refusal(whole) }
    return percent
  }

  private func refusal(_ text: String) -> Refusal {
    Refusal(.notExpected(text, measure: key.name, accepted: key.accepted))
  }

  private func trim(_ text: Substring) -> String {
    let front = text.drop { $0 == " " }
    return String(front.reversed().drop { $0 == " " }.reversed())
  }
}

extension MeasureKey {
  var example: String {
    switch unit {
    case .count: "7"
    case .bytes: "9.93 MB"
    case .seconds: "305.9 s"
    }
  }

  /// What can be written, as a message lists it.
  var accepted: String {
    var forms = [example, "<= \(example)", "\(example) +- 1 %"]
    if countsEach { forms.append("each 1") }
    forms += words
    return forms.dropLast().joined(separator: ", ") + " or " + (forms.last ?? "")
  }
}

extension Reading where Value == Expected {
  static func expected(of key: MeasureKey) -> Reading {
    let text = Schema.text(pattern: nil, example: "<= \(key.example)")
    let schema: Schema =
      key.unit == .count ? .anyOf([.whole(example: key.example), text]) : text
    return .scalar(schema) { text throws(Refusal) in
      try ExpectationGrammar(key: key).parse(text)
    }
  }
}
