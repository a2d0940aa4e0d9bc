/// A rate in bytes per second; fractions of a byte per second are kept.
package struct DataRate: Hashable, Comparable, Sendable {
  package var bytesPerSecond: Double

  package init(bytesPerSecond: Double) {
    self.bytesPerSecond = bytesPerSecond
  }

  package static func kilobytes(_ count: Double) -> DataRate {
    DataRate(bytesPerSecond: count * 1_000)
  }

  /// The time in which `count` bytes pass at this rate: count / rate, to the nearest nanosecond,
  /// and no more than the 292 years that fit.
  package func time(for count: ByteCount) -> Duration {
    .seconds(exactly: Double(count.bytes) / bytesPerSecond)
  }

  package static func < (left: DataRate, right: DataRate) -> Bool {
    left.bytesPerSecond < right.bytesPerSecond
  }
}

extension DataRate: CustomStringConvertible {
  package var description: String {
    switch bytesPerSecond {
    case 1_000_000...: "\(trimmed(bytesPerSecond / 1_000_000, decimals: 3)) MB/s"
    case 1_000...: "\(trimmed(bytesPerSecond / 1_000, decimals: 3)) KB/s"
    default: "\(trimmed(bytesPerSecond, decimals: 3)) B/s"
    }
  }
}
