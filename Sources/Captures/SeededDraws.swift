import Quantities

extension SeededRandom {
  mutating func real(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[whole(0...choices.count - 1)]
  }

  /// That many bytes, none of which is 0xFF, so that they never look like a JPEG marker.
  mutating func fillerBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      var word = next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: word) & 0xfe)
        word >>= 8
      }
    }
    return Array(bytes.prefix(count))
  }
}
