package import Quantities

extension DirectionConditions {
  /// Stretches into which a rate is cut that changes from packet to packet.
  private static let stretches = 200

  /// The rates that were asked for from link time 0 until an instant, each until the next one.
  ///
  /// Exact where they are steps and outages. Of a trace it is the mean of each of 200 stretches, and
  /// of lumps their mean.
  package func course(until end: Instant) -> [RateStep] {
    guard case .trace = rate else { return steps(until: end) }
    let schedule = schedule
    var point = schedule.begin(at: .zero)
    var course: [RateStep] = []
    for stretch in 0..<Self.stretches {
      let start = point.at
      let done = point.work
      let next = Instant.zero + (end - .zero) * (stretch + 1) / Self.stretches
      guard next > start else { continue }
      schedule.move(&point, to: next)
      let bytes = Double((point.work - done) / ServicePoint.workPerByte)
      let mean = DataRate(bytesPerSecond: bytes / (next - start).inSeconds)
      course.append(RateStep(at: start, rate: bytes > 0 ? .limited(mean) : .offline))
    }
    return course
  }

  private func steps(until end: Instant) -> [RateStep] {
    let changes: [RateStep] =
      switch rate {
      case .constant(let rate): [RateStep(at: .zero, rate: rate)]
      case .steps(let steps): steps
      case .lumps(let rate, _): [RateStep(at: .zero, rate: .limited(rate))]
      case .trace(let trace): [RateStep(at: .zero, rate: .limited(trace.meanRate))]
      }
    let starts = [.zero] + changes.map(\.at) + outages.flatMap { [$0.at, $0.end] }
    var course: [RateStep] = []
    for start in Set(starts).sorted() where start >= .zero && start < end {
      let own = changes.last { $0.at <= start } ?? changes.first
      let isOut = outages.contains { $0.covers(start) }
      let rate = isOut ? .offline : own?.rate ?? .offline
      if course.last?.rate != rate { course.append(RateStep(at: start, rate: rate)) }
    }
    return course
  }
}
