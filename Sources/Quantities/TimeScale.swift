/// The one value that ties link time to the monotonic clock: an epoch and a factor.
///
/// At factor 60 one second of the monotonic clock is 60 link seconds. Rates are never scaled: every
/// model works in link time, so that a modelled rate is multiplied by the same factor by itself.
package struct TimeScale: Hashable, Sendable, Codable {
  /// The reading of the monotonic clock, in nanoseconds, at link time 0.
  package var epoch: Int64
  /// Link seconds in one second of the monotonic clock; above zero.
  package var factor: Double

  package init(epoch: Int64, factor: Double) {
    precondition(factor > 0, "a time factor is above zero")
    self.epoch = epoch
    self.factor = factor
  }

  /// The link time at a reading of the monotonic clock.
  package func link(monotonic nanoseconds: Int64) -> Instant {
    Instant(
      nanoseconds: Int64(saturating: (Double(nanoseconds - epoch) * factor).rounded(.down)))
  }

  /// The reading of the monotonic clock at a link time; never before that link time has come.
  package func monotonic(_ instant: Instant) -> Int64 {
    if instant == .distantFuture { return .max }
    let quotient = (Double(instant.nanoseconds) / factor).rounded(.up)
    var monotonic = epoch.adding(saturating: Int64(saturating: quotient))
    // The quotient was rounded to a number, and may have been rounded down to a whole one.
    while monotonic < .max, link(monotonic: monotonic) < instant { monotonic += 1 }
    return monotonic
  }
}
