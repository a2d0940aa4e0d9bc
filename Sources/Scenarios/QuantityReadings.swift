import Quantities

// How quantities with a unit are read, each with its range and the pattern that editors check.

extension Reading where Value == Duration {
  static func duration(
    _ range: ClosedRange<Duration>, example: String = "60 s"
  ) -> Reading {
    .scalar(.text(pattern: durationPattern, example: example)) { text throws(Refusal) in
      let duration = try quantity(text) { text throws(QuantityError) in
        try Duration(parsing: text)
      }
      return try within(range, duration, as: text) { $0.text }
    }
  }

  /// A duration with a sign: negative is back.
  static func jump(_ range: ClosedRange<Duration>, example: String) -> Reading {
    .scalar(.text(pattern: jumpPattern, example: example)) { text throws(Refusal) in
      let isBack = text.hasPrefix("-")
      let length = try quantity(isBack ? String(text.dropFirst()) : text) {
        text throws(QuantityError) in try Duration(parsing: text)
      }
      return try within(range, isBack ? .zero - length : length, as: text) { $0.text }
    }
  }
}

extension Reading where Value == ByteCount {
  static func size(_ range: ClosedRange<ByteCount>, example: String = "1.65 MB") -> Reading {
    .scalar(.text(pattern: sizePattern, example: example)) { text throws(Refusal) in
      let size = try quantity(text) { text throws(QuantityError) in try ByteCount(parsing: text) }
      return try within(range, size, as: text) { $0.description }
    }
  }
}

extension Reading where Value == DataRate {
  static func rate(_ range: ClosedRange<DataRate>, example: String = "20 KB/s") -> Reading {
    .scalar(.text(pattern: ratePattern, example: example)) { text throws(Refusal) in
      let rate = try quantity(text) { text throws(QuantityError) in try DataRate(parsing: text) }
      return try within(range, rate, as: text) { $0.description }
    }
  }
}

extension Reading where Value == Double {
  /// A share of all, in percent.
  static func share(_ range: ClosedRange<Double>, example: String) -> Reading {
    .scalar(.text(pattern: sharePattern, example: example)) { text throws(Refusal) in
      let share = try quantity(text) { text throws(QuantityError) in
        try Quantities.share(parsing: text)
      }
      return try within(range, share, as: text) { "\(trimmed($0 * 100, decimals: 2)) %" }
    }
  }
}

private let number = #"\d[\d_,]*(\.\d+)? ?"#
private let durationPattern = "^\(number)(us|ms|s|min|h)$"
private let jumpPattern = "^-?\(number)(us|ms|s|min|h)$"
private let sizePattern = "^\(number)(B|KB|MB|GB)$"
private let ratePattern = "^\(number)(B/s|KB/s|MB/s|GB/s|bit/s|kbit/s|Mbit/s)$"
private let sharePattern = "^\(number)%$"

/// More digits than any size, time or rate here needs; keeps arithmetic far from its limits.
private let mostDigits = 9

/// Reads a quantity by its own parser, whose errors become problems of the file.
func quantity<Value>(
  _ text: String, _ parse: (String) throws(QuantityError) -> Value
) throws(Refusal) -> Value {
  guard text.count <= ScenarioLimits.identifierCharacters, !holdsControls(text) else {
    throw Refusal(.quantity("\(quoted(text)) is not a number with a unit"))
  }
  let whole = text.drop { $0 == " " }.prefix { $0 != "." && !$0.isLetter }
  guard whole.count(where: \.isNumber) <= mostDigits else {
    throw Refusal(.quantity("\(quoted(text)) is out of range"))
  }
  do throws(QuantityError) {
    return try parse(text)
  } catch {
    throw Refusal(.quantity(error.description))
  }
}

/// Refuses what is out of its range, and says that.
func within<Value: Comparable>(
  _ range: ClosedRange<Value>, _ value: Value, as text: String, _ show: (Value) -> String
) throws(Refusal) -> Value {
  guard range.contains(value) else {
    throw Refusal(
      .outOfRange(text, least: show(range.lowerBound), most: show(range.upperBound)))
  }
  return value
}
