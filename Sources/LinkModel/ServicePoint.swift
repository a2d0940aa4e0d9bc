package import Quantities

/// How much of a busy period has been served by an instant.
package struct ServicePoint: Hashable, Sendable {
  /// Work for one byte: attobytes make every time of whole nanoseconds and every rate of whole
  /// nanobytes per second a whole number, so that nothing drifts.
  package static let workPerByte: Int128 = 1_000_000_000_000_000_000

  package var at: Instant
  /// Attobytes served since the busy period began.
  package var work: Int128
  /// Where the schedule stands at that instant.
  var place: Int
}

extension DataRate {
  /// Attobytes per nanosecond, which are nanobytes per second.
  ///
  /// No rate is rounded to none, and the fastest ones stay far below what Int128 holds.
  var workPerNanosecond: Int128 { Int128(max(1, min(bytesPerSecond * 1e9, 1e19)).rounded()) }
}
