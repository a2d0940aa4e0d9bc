package import Quantities

/// When each byte of a busy period has left: by rates, or at opportunities.
package enum ServiceSchedule: Hashable, Sendable {
  case rates(RateSchedule)
  case opportunities(Opportunities)

  /// A busy period that begins at an instant.
  package func begin(at instant: Instant) -> ServicePoint {
    switch self {
    case .rates(let rates): rates.begin(at: instant)
    case .opportunities(let opportunities): opportunities.begin(at: instant)
    }
  }

  /// When the n-th byte of the busy period has left; nil when it never does.
  ///
  /// `point` is not beyond it, and follows it.
  package func departure(ofByte number: Int, after point: inout ServicePoint) -> Instant? {
    switch self {
    case .rates(let rates): rates.departure(ofByte: number, after: &point)
    case .opportunities(let opportunities): opportunities.departure(ofByte: number, after: &point)
    }
  }

  /// Serves until an instant, which is not before the point.
  package func move(_ point: inout ServicePoint, to instant: Instant) {
    switch self {
    case .rates(let rates): rates.move(&point, to: instant)
    case .opportunities(let opportunities): opportunities.move(&point, to: instant)
    }
  }

  /// The same point of a busy period that another schedule goes on with.
  package func resume(_ point: ServicePoint) -> ServicePoint {
    var own = begin(at: point.at)
    own.work = point.work
    return own
  }

  /// Whether everything crosses at once at a point.
  package func isUnlimited(at point: ServicePoint) -> Bool {
    if case .rates(let rates) = self { rates.isUnlimited(at: point) } else { false }
  }

  /// The first instant from this one on at which the link is not offline; nil when there is none.
  package func online(from instant: Instant) -> Instant? {
    switch self {
    case .rates(let rates): rates.online(from: instant)
    case .opportunities(let opportunities): opportunities.online(from: instant)
    }
  }

  /// Bytes that the link could have carried between two instants; nil when there is no such number,
  /// as where an opportunity that was hardly used counts for as much as one that was.
  package func capacity(from start: Instant, to end: Instant) -> Double? {
    if case .rates(let rates) = self { rates.capacity(from: start, to: end) } else { nil }
  }
}
