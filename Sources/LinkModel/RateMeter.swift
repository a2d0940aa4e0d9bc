package import Quantities

/// The rate at which packets came out of a direction while it was busy, by the times at which they
/// really came out: bytes after the first packet of each busy period, over the time since it.
package struct RateMeter: Hashable, Sendable {
  /// Fewer packets than this say nothing within half a percent.
  package static let smallestSample = 50

  private var busyPeriod = 0
  private var last = Instant.zero
  private var bytes = 0
  private var time = Duration.zero
  private var packets = 0
  /// Busy periods that are part of the rate: each begins and ends when a loop got round to it.
  package private(set) var periods = 0
  private var countsPeriod = false

  package init() {}

  package mutating func add(_ count: Int, busyPeriod: Int, at now: Instant) {
    guard count > 0 else { return }
    if busyPeriod == self.busyPeriod {
      bytes += count
      time += now - last
      packets += 1
      if !countsPeriod { periods += 1 }
      countsPeriod = true
    } else {
      countsPeriod = false
    }
    self.busyPeriod = busyPeriod
    last = now
  }

  /// Bytes per second; nil when too few packets followed one another.
  package var bytesPerSecond: Double? {
    guard packets >= Self.smallestSample, time > .zero else { return nil }
    return Double(bytes) / time.inSeconds
  }
}
