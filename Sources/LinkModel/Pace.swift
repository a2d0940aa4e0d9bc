package import Quantities

/// How fast one direction of a link carries bytes over time, apart from its outages.
package enum Pace: Hashable, Sendable {
  case constant(LinkRate)
  /// In the order of time; the first one also holds before its time.
  case steps([RateStep])
  case trace(Trace)
  /// Nothing for a time, and then at once what the rate would have carried in it; the first time
  /// begins at link time 0.
  case lumps(DataRate, every: Duration)

  package static func limited(_ rate: DataRate) -> Pace { .constant(.limited(rate)) }
  package static let unlimited = Pace.constant(.unlimited)
  package static let offline = Pace.constant(.offline)

  /// The fastest rate that it ever has, on the mean over opportunities; nil when there is none above
  /// which it never goes.
  package var fastest: DataRate? {
    switch self {
    case .constant(let rate): rate.limit
    case .steps(let steps):
      steps.contains { $0.rate == .unlimited } ? nil : steps.compactMap(\.rate.limit).max()
    case .trace(let trace): trace.meanRate
    case .lumps(let rate, _): rate
    }
  }

  /// Whether it ever keeps bytes waiting.
  package var throttles: Bool { self != .unlimited }
}

extension LinkRate {
  /// The rate; nil when there is none, because everything or nothing crosses.
  package var limit: DataRate? {
    if case .limited(let rate) = self { rate } else { nil }
  }
}
