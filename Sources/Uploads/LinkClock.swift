package import Quantities

/// The only source of time of the client: link time, real, dilated or virtual.
package protocol LinkClock: Sendable {
  var now: Instant { get }

  /// Returns at `deadline` or later. Throws `CancellationError` when the task is cancelled before.
  func sleep(until deadline: Instant) async throws
}
