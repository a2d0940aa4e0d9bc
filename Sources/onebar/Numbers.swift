import Quantities
import Scenarios

/// Numbers on the command line, and the quantities that have the ranges of a scenario's.
enum Numbers {
  static func time(
    _ text: String, in range: ClosedRange<Duration>
  ) throws(QuantityError) -> Duration {
    try ranged(try Duration(parsing: text), text, in: range, \.text)
  }

  static func rate(
    _ text: String, in range: ClosedRange<DataRate>
  ) throws(QuantityError) -> DataRate {
    try ranged(try DataRate(parsing: text), text, in: range, \.description)
  }

  static func size(
    _ text: String, in range: ClosedRange<ByteCount>
  ) throws(QuantityError) -> ByteCount {
    try ranged(try ByteCount(parsing: text), text, in: range, \.description)
  }

  private static func ranged<Value: Comparable>(
    _ value: Value, _ text: String, in range: ClosedRange<Value>, _ words: (Value) -> String
  ) throws(QuantityError) -> Value {
    guard range.contains(value) else {
      let problem = ScenarioProblem.outOfRange(
        text, least: words(range.lowerBound), most: words(range.upperBound))
      throw QuantityError(problem.text)
    }
    return value
  }

  static func seed(_ text: String) throws(QuantityError) -> UInt64 {
    guard let seed = UInt64(text) else {
      throw QuantityError("\"\(text)\" is not a seed; write a whole number from 0 up")
    }
    return seed
  }

  static func whole(_ text: String, in range: ClosedRange<Int>) throws(QuantityError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw QuantityError(
        "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
