/// A point of link time: nanoseconds since link time 0, in the scenario's own scale.
///
/// Int64 nanoseconds reach 292 years; arithmetic beyond them stays at the nearest end.
package struct Instant: Hashable, Sendable, Codable, InstantProtocol {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package init(seconds: Double) {
    nanoseconds = Int64(saturating: (seconds * 1e9).rounded())
  }

  package static let zero = Instant(nanoseconds: 0)
  package static let distantFuture = Instant(nanoseconds: .max)

  /// Link seconds since link time 0.
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  package func advanced(by duration: Duration) -> Instant {
    Instant(nanoseconds: nanoseconds.adding(saturating: duration.nanoseconds))
  }

  package func duration(to other: Instant) -> Duration {
    let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
    return .nanoseconds(overflow ? (other < self ? .min : .max) : difference)
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
  /// Whole nanoseconds, a part of one left out; the nearest Int64 when there are more.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return product.adding(saturating: attoseconds / 1_000_000_000)
  }

  /// Seconds as a floating-point number.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }

  package static func seconds(exactly seconds: Double) -> Duration {
    .nanoseconds(Int64(saturating: (seconds * 1e9).rounded()))
  }
}

extension Int64 {
  /// The nearest Int64 to a whole number; zero for what is not a number.
  init(saturating value: Double) {
    // 2^63 itself is the first value that does not fit.
    self =
      if value >= 0x1p63 { .max } else if value < -0x1p63 { .min } else {
        Int64(exactly: value) ?? 0
      }
  }

  /// The sum, or the nearest Int64 to it.
  package func adding(saturating other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
