package import Quantities

/// How fast one direction of a link carries bytes at a time.
package enum LinkRate: Hashable, Sendable {
  case limited(DataRate)
  /// Everything crosses at once.
  case unlimited
  /// Nothing crosses.
  case offline
}

/// A rate from an instant on.
package struct RateStep: Hashable, Sendable {
  package var at: Instant
  package var rate: LinkRate

  package init(at: Instant, rate: LinkRate) {
    self.at = at
    self.rate = rate
  }
}
