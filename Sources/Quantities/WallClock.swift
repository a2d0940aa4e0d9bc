/// A wall clock: a date at link time 0, and how far the clock has been set since.
///
/// It dates what no camera has dated, and the ids that are minted. Nothing is timed by it, so that
/// a jump changes nothing else.
package struct WallClock: Hashable, Sendable {
  /// 2026-01-01T00:00:00Z.
  ///
  /// A run has no date of its own; a part that is used by hand is given the true value.
  package static let defaultEpoch: Int64 = 1_767_225_600_000

  /// Milliseconds since 1970 at link time 0, as the clock was before any jump.
  package var epoch: Int64
  /// The sum of all jumps; negative when it was set back.
  package var ahead = Duration.zero

  package init(epoch: Int64 = WallClock.defaultEpoch) {
    self.epoch = epoch
  }

  /// Milliseconds since 1970, as far as the clock knows; negative before.
  package func milliseconds(at now: Instant) -> Int64 {
    steadyMilliseconds(at: now) + ahead.nanoseconds / 1_000_000
  }

  /// The same without the jumps: it never goes back.
  package func steadyMilliseconds(at now: Instant) -> Int64 {
    epoch + now.nanoseconds / 1_000_000
  }

  /// The same as a date in UTC, by RFC 3339.
  package func rfc3339(at now: Instant) -> String {
    CivilTime.rfc3339(milliseconds: milliseconds(at: now))
  }
}
