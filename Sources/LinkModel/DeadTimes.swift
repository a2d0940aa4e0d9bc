package import Quantities

extension LinkConditions {
  /// The times until an instant in which one of the directions carries nothing at all, in order: an
  /// outage, or a rate that is offline.
  ///
  /// Between two opportunities of a trace, or two lumps, a link is slow and not down.
  package func deadTimes(until end: Instant) -> [Range<Instant>] {
    let turns = [up, down].flatMap(\.turns).filter { .zero < $0 && $0 < end } + [.zero, end]
    var times: [Range<Instant>] = []
    let places = Set(turns).sorted()
    for (start, next) in zip(places, places.dropFirst())
    where up.isDead(start) || down.isDead(start) {
      if let last = times.last, last.upperBound == start {
        times[times.count - 1] = last.lowerBound..<next
      } else {
        times.append(start..<next)
      }
    }
    return times
  }
}

extension DirectionConditions {
  fileprivate var turns: [Instant] {
    let steps = if case .steps(let steps) = rate { steps.map(\.at) } else { [Instant]() }
    return steps + outages.flatMap { [$0.at, $0.end] }
  }

  fileprivate func isDead(_ instant: Instant) -> Bool {
    if outages.contains(where: { $0.covers(instant) }) { return true }
    return switch rate {
    case .constant(let rate): rate == .offline
    case .steps(let steps): (steps.last { $0.at <= instant } ?? steps.first)?.rate == .offline
    case .trace, .lumps: false
    }
  }
}
