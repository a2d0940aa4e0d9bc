import Quantities

/// What a link carried in a stretch of time, to hold a rate that a line showed against.
///
/// Carried is what came out of the link, of one body or of all connections; its bytes arrive a latency
/// later than they are counted, and either side looks now and then. A client that this machine kept
/// waiting hands over, and counts, so much later what had crossed in time: at either end of the stretch
/// by itself.
struct CarriedRate {
  /// A rate may differ so far from what was carried.
  static let tolerance = 0.2

  let courses: [ByteCourse]
  let delays: [Duration]
  let clientLateness: Duration

  init(_ body: ByteCourse?, _ truth: RunTruth) {
    courses = [body, truth.carried].compactMap(\.self)
    delays = [.zero, truth.latencyUp, .milliseconds(500), truth.grace]
    clientLateness = truth.clientLateness
  }

  /// Whether something between the two rates, in bytes per second, was carried; if not, what was: the
  /// nearest of all that could be meant.
  func miss(_ rates: ClosedRange<Double>, from start: Instant, to end: Instant) -> Double? {
    var nearest: (rate: Double, distance: Double)?
    for course in courses {
      for delay in delays {
        let (from, to) = (start + delay, end + delay)
        let carried = course.rate(from: from, to: to)
        func late(_ end: Instant) -> Double {
          (course.bytes(at: end) - course.bytes(at: end.advanced(by: .zero - clientLateness)))
            / (to - from).inSeconds
        }
        let least = (carried - late(to)) * (1 - Self.tolerance)
        let most = (carried + late(from)) * (1 + Self.tolerance)
        if rates.overlaps(least...most) { return nil }
        let distance = max(rates.lowerBound - carried, carried - rates.upperBound)
        if distance < nearest?.distance ?? .infinity { nearest = (carried, distance) }
      }
    }
    return nearest?.rate ?? 0
  }
}
