/// Times as JSON holds them: RFC 3339 section 5.6, or such a time without its offset.
///
/// A local time alone is one whose offset nobody knows, as of a photo that does not tell it. The
/// RFC's `-00:00` is something else: a time in UTC whose place is unknown.
enum TimeText {
  /// Whether the text is such a time, such as `2026-05-04T19:12:33+02:00`.
  static func isValid(_ text: String) -> Bool {
    var rest = Substring(text)
    guard let year = number(&rest, digits: 4), take("-", &rest),
      let month = number(&rest, digits: 2), take("-", &rest),
      let day = number(&rest, digits: 2), take("T", &rest) || take("t", &rest),
      let hour = number(&rest, digits: 2), take(":", &rest),
      let minute = number(&rest, digits: 2), take(":", &rest),
      let second = number(&rest, digits: 2)
    else { return false }
    if take(".", &rest) {
      guard number(&rest, digits: 1) != nil else { return false }
      while number(&rest, digits: 1) != nil {}
    }
    guard rest.isEmpty || takeOffset(&rest), rest.isEmpty, (1...12).contains(month) else {
      return false
    }
    return (1...days(month: month, year: year)).contains(day) && hour < 24 && minute < 60
      && second <= 60
  }

  private static func takeOffset(_ rest: inout Substring) -> Bool {
    if take("Z", &rest) || take("z", &rest) { return true }
    guard take("+", &rest) || take("-", &rest), let hours = number(&rest, digits: 2),
      take(":", &rest), let minutes = number(&rest, digits: 2)
    else { return false }
    return hours < 24 && minutes < 60
  }

  private static func days(month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func take(_ mark: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == mark else { return false }
    rest.removeFirst()
    return true
  }

  private static func number(_ rest: inout Substring, digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    rest.removeFirst(digits)
    return Int(text)
  }
}
