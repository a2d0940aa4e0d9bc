import Quantities

// Written out here, because the drawing rules of the standard library may change between versions
// and a seed must give the same bytes.
extension SeededRandom {
  /// At least 0 and below 1.
  mutating func fraction() -> Double {
    Double(next() >> 11) / 9_007_199_254_740_992
  }

  mutating func real(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
  }

  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(fraction() * Double(range.upperBound - range.lowerBound + 1))
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
