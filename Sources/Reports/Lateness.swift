extension RunRecord {
  /// How late timers fired, in link seconds: the error budget of a run.
  package struct Lateness: Hashable, Sendable {
    package var p50: Double
    package var p99: Double

    package init(p50: Double, p99: Double) {
      self.p50 = rounded(p50, decimals: 6)
      self.p99 = rounded(p99, decimals: 6)
    }

    /// From measured lateness in nanoseconds of the monotonic clock, times the factor of the run.
    ///
    /// Percentiles are by nearest rank: the smallest value that at least p % of all do not exceed.
    /// Nil when nothing was measured.
    package init?(of nanoseconds: [Int64], factor: Double) {
      let sorted = nanoseconds.sorted()
      guard let last = sorted.last else { return nil }
      func percentile(_ percent: Int) -> Double {
        let rank = (sorted.count * percent + 99) / 100
        let value = rank >= sorted.count ? last : sorted[max(rank, 1) - 1]
        return Double(value) / 1e9 * factor
      }
      self.init(p50: percentile(50), p99: percentile(99))
    }
  }
}
