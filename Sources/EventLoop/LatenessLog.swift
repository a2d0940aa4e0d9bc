/// How late timers fired: counts in buckets that widen with the value, at most 1/32 wide.
///
/// Fixed in size whatever the number of timers, so that a run of any length can keep it.
package struct LatenessLog: Hashable, Sendable {
  private static let fine = 32
  private var buckets = [Int](repeating: 0, count: 64 * LatenessLog.fine)
  package private(set) var count = 0
  package private(set) var worst: Int64 = 0

  package init() {}

  /// Adds one lateness in nanoseconds; a negative one counts as zero.
  package mutating func add(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    buckets[Self.bucket(of: value)] += 1
    count += 1
    worst = max(worst, value)
  }

  /// The lateness in nanoseconds that a share (0 to 1) of the timers did not exceed; nil when empty.
  package func percentile(_ share: Double) -> Int64? {
    guard count > 0 else { return nil }
    // A share such as 0.07 is a little more than it says; that must not pass for one timer more.
    let rank = max(1, Int((Double(count) * share * (1 - 1e-12)).rounded(.up)))
    var seen = 0
    for (index, size) in buckets.enumerated() {
      seen += size
      if seen >= rank { return min(worst, Self.upperEdge(of: index)) }
    }
    return worst
  }

  private static func bucket(of value: Int64) -> Int {
    guard value >= fine else { return Int(value) }
    let exponent = 63 - value.leadingZeroBitCount
    return (exponent - 4) * fine + Int(value >> (exponent - 5)) - fine
  }

  private static func upperEdge(of bucket: Int) -> Int64 {
    guard bucket >= fine else { return Int64(bucket) }
    let width = Int64(1) << (bucket / fine - 1)
    return Int64(bucket % fine + fine) * width + (width - 1)
  }
}
