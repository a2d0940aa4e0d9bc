import Quantities

/// Passes data at once, and holds the end of it.
package struct SlowCloseToxic: Hashable, Sendable {
  package var delay: Duration

  package init(delay: Duration) {
    self.delay = delay
  }
}

struct SlowCloseStage: ToxicStage {
  private var delay: Duration
  private var passing = FIFO<Departure>()
  /// The end, and when it came in.
  private var last: Departure?

  init(_ toxic: SlowCloseToxic) {
    delay = toxic.delay
  }

  var nextEvent: Instant? { passing.first?.at ?? last.map { $0.at + delay } }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    switch flow {
    case .bytes, .dropped, .reset: passing.append(Departure(flow, at: now))
    case .end, .close: last = Departure(flow, at: now)
    }
  }

  mutating func leave(at now: Instant) -> ToxicFlow? {
    if let departure = passing.popFirst() { return departure.flow }
    defer { last = nil }
    return last?.flow
  }

  mutating func change(to kind: ToxicKind, at now: Instant) {
    if case .slowClose(let toxic) = kind { delay = toxic.delay }
  }

  mutating func stop(isRemoved: Bool, at now: Instant) {
    delay = .zero
  }
}
