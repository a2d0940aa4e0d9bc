/// A point of link time: nanoseconds since link time 0, in the scenario's own scale.
///
/// Int64 nanoseconds reach 292 years, so no run overflows them.
package struct Instant: Hashable, Sendable, InstantProtocol {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package init(seconds: Double) {
    nanoseconds = Int64((seconds * 1e9).rounded())
  }

  package static let zero = Instant(nanoseconds: 0)
  package static let distantFuture = Instant(nanoseconds: .max)

  /// Link seconds since link time 0.
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  package func advanced(by duration: Duration) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.nanoseconds)
    return overflow ? .distantFuture : Instant(nanoseconds: sum)
  }

  package func duration(to other: Instant) -> Duration {
    .nanoseconds(other.nanoseconds - nanoseconds)
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  package static func + (instant: Instant, duration: Duration) -> Instant {
    instant.advanced(by: duration)
  }

  package static func - (later: Instant, earlier: Instant) -> Duration {
    earlier.duration(to: later)
  }
}

extension Duration {
  /// Whole nanoseconds, rounded down; the largest Int64 when there are more.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000
  }

  /// Seconds as a floating-point number.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  package static func seconds(exactly seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
