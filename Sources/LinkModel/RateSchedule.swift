package import Quantities

/// Rates over time with outages laid over them: when each byte of a busy period has left.
///
/// A busy period is a time in which there is always something to send. Its n-th byte has left once
/// the integral of the rate since its start is n; the instant is that, to the nearest nanosecond,
/// computed each time from sums that are exact, so that neither packets nor steps add up errors.
/// A rate is rounded to a billionth of a byte per second.
package struct RateSchedule: Hashable, Sendable {
  private struct Segment: Hashable {
    var start: Instant
    /// Attobytes per nanosecond: zero while offline, nil when everything crosses at once.
    var speed: Int128?
  }

  /// The first one has no beginning, the last one no end.
  private var segments: [Segment] = []

  /// The first of the steps also holds before its time; none at all is offline.
  package init(_ steps: [RateStep], outages: [Outage] = []) {
    var starts = Set(steps.dropFirst().map(\.at) + outages.flatMap { [$0.at, $0.end] })
    starts.insert(Self.always)
    for start in starts.sorted() {
      let step = steps.last { $0.at <= start } ?? steps.first
      let isOut = outages.contains { $0.covers(start) }
      let speed = isOut ? 0 : step.map { Self.speed($0.rate) } ?? 0
      guard segments.last.map({ $0.speed != speed }) ?? true else { continue }
      segments.append(Segment(start: start, speed: speed))
    }
  }

  private static let always = Instant(nanoseconds: .min)

  private static func speed(_ rate: LinkRate) -> Int128? {
    switch rate {
    case .limited(let rate): rate.workPerNanosecond
    case .unlimited: nil
    case .offline: 0
    }
  }

  /// A busy period that begins at an instant.
  package func begin(at instant: Instant) -> ServicePoint {
    ServicePoint(at: instant, work: 0, place: place(at: instant))
  }

  /// When the n-th byte of the busy period has left; nil when it never does.
  ///
  /// `point` is not beyond it, and follows it from one segment to the next.
  package func departure(ofByte number: Int, after point: inout ServicePoint) -> Instant? {
    let target = Int128(number) * ServicePoint.workPerByte
    while true {
      guard let speed = segments[point.place].speed else { return point.at }
      let end = end(of: point.place)
      if speed > 0 {
        let wait = (target - point.work + speed / 2) / speed
        let departure = Instant(
          nanoseconds: point.at.nanoseconds.adding(saturating: Int64(clamping: wait)))
        if departure <= end ?? .distantFuture { return departure }
      }
      guard let end else { return nil }
      move(&point, to: end)
    }
  }

  /// Serves until an instant, which is not before the point.
  package func move(_ point: inout ServicePoint, to instant: Instant) {
    while let end = end(of: point.place), end <= instant {
      serve(&point, until: end)
      point.place += 1
    }
    serve(&point, until: instant)
  }

  /// Whether everything crosses at once at a point.
  package func isUnlimited(at point: ServicePoint) -> Bool { segments[point.place].speed == nil }

  /// The first instant from this one on at which the link is not offline; nil when there is none.
  package func online(from instant: Instant) -> Instant? {
    let place = place(at: instant)
    if segments[place].speed != 0 { return instant }
    return segments[place...].dropFirst().first { $0.speed != 0 }?.start
  }

  /// Bytes that the link could have carried between two instants; nil when there is no such number.
  package func capacity(from start: Instant, to end: Instant) -> Double? {
    var point = begin(at: start)
    let first = point.place
    move(&point, to: end)
    guard segments[first...point.place].allSatisfy({ $0.speed != nil }) else { return nil }
    // By way of millionths of a byte: Int128 takes its time to become a number.
    let millionths = Int64(clamping: point.work / (ServicePoint.workPerByte / 1_000_000))
    return Double(millionths) / 1e6
  }

  private func serve(_ point: inout ServicePoint, until instant: Instant) {
    // Where everything crosses at once nothing waits, and there is no work to be counted.
    let time = Int128(instant.nanoseconds) - Int128(point.at.nanoseconds)
    point.work += (segments[point.place].speed ?? 0) * time
    point.at = instant
  }

  private func place(at instant: Instant) -> Int {
    segments.lastIndex { $0.start <= instant } ?? 0
  }

  private func end(of place: Int) -> Instant? {
    place + 1 < segments.count ? segments[place + 1].start : nil
  }
}
