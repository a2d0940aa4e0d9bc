/// A stream of random numbers from a seed: SplitMix64 (Steele, Lea and Flood, 2014).
///
/// Each concern forks its own stream by name, so that one more draw in one place disturbs nothing
/// elsewhere.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64
  private let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// An independent stream for the concern `name`; the same whatever was drawn before.
  package func fork(_ name: String) -> SeededRandom {
    // FNV-1a, 64 bits; mixed with the seed so that equal names of two seeds differ.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    var mixer = SeededRandom(seed: seed ^ hash)
    return SeededRandom(seed: mixer.next())
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

// Written out here, because the drawing rules of the standard library may change between versions
// and a seed must give the same bytes.
extension SeededRandom {
  /// At least 0 and below 1.
  package mutating func fraction() -> Double {
    Double(next() >> 11) / 9_007_199_254_740_992
  }

  package mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(fraction() * Double(range.upperBound - range.lowerBound + 1))
  }
}
