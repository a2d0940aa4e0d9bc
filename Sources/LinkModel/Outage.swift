package import Quantities

/// A time in which nothing leaves: bytes wait, and service goes on where it stopped.
///
/// Bytes that have left before still arrive. The outage begins at its first instant, and its end is
/// no part of it.
package struct Outage: Hashable, Sendable {
  /// Link time, in the scenario's own scale.
  package var at: Instant
  package var duration: Duration

  package init(at: Instant, duration: Duration) {
    self.at = at
    self.duration = duration
  }

  package var end: Instant { at + duration }

  func covers(_ instant: Instant) -> Bool { at <= instant && instant < end }
}
