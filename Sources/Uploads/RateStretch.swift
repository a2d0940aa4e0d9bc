package import Quantities

/// A rate, and the stretch of time over which it was found.
package struct RateStretch: Hashable, Sendable, Codable {
  package var from: Instant
  package var to: Instant
  package var bytesPerSecond: Double

  package init(from: Instant, to: Instant, bytesPerSecond: Double) {
    self.from = from
    self.to = to
    self.bytesPerSecond = bytesPerSecond
  }
}
