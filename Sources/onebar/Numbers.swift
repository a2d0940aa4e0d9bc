import Quantities

/// Numbers without a unit on the command line.
enum Numbers {
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
