package import Quantities

/// The rate at which packets left a direction while it was busy, by the times at which they really
/// left: bytes after the first packet of each busy period, over the time since it; and the rate
/// that was asked of the link over just that time.
package struct RateMeter: Hashable, Sendable {
  /// Fewer packets than this say nothing within half a percent.
  package static let smallestSample = 50

  private var busyPeriod = 0
  private var last = Instant.zero
  private var bytes = 0
  private var nanoseconds: Int64 = 0
  private var packets = 0
  /// What the link could have carried in that time; nil once that is not a number.
  private var capacity: Double? = 0
  /// Busy periods that are part of the rate: each begins and ends when a loop got round to it.
  package private(set) var periods = 0
  private var countsPeriod = false

  package init() {}

  package mutating func add(
    _ count: Int, busyPeriod: Int, on schedule: ServiceSchedule, at now: Instant
  ) {
    if busyPeriod == self.busyPeriod {
      bytes += count
      nanoseconds += now.nanoseconds - last.nanoseconds
      packets += 1
      if !countsPeriod { periods += 1 }
      countsPeriod = true
      if let sum = capacity {
        capacity = schedule.capacity(from: last, to: now).map { sum + $0 }
      }
    } else {
      countsPeriod = false
    }
    self.busyPeriod = busyPeriod
    last = now
  }

  /// The time measured, in seconds; nil when too few packets followed one another.
  private var seconds: Double? {
    packets >= Self.smallestSample && nanoseconds > 0 ? Double(nanoseconds) / 1e9 : nil
  }

  /// Bytes per second; nil when too few packets followed one another.
  package var bytesPerSecond: Double? { seconds.map { Double(bytes) / $0 } }

  /// The mean of the rate that the conditions ask for, in bytes per second, over the time measured.
  package var askedBytesPerSecond: Double? {
    seconds.flatMap { seconds in capacity.map { $0 / seconds } }
  }
}
