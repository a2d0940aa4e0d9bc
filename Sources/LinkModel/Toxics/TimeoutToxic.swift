import Quantities

/// Swallows data, and closes the connection once no more of it has come for a time.
package struct TimeoutToxic: Hashable, Sendable {
  /// At zero it is never closed.
  package var timeout: Duration

  package init(timeout: Duration) {
    self.timeout = timeout
  }
}

struct TimeoutStage: ToxicStage {
  private var timeout: Duration
  private var quietSince: Instant
  private var passing = FIFO<Departure>()
  private var isOver = false

  init(_ toxic: TimeoutToxic, at now: Instant) {
    timeout = toxic.timeout
    quietSince = now
  }

  var nextEvent: Instant? {
    passing.first?.at ?? (isOver || timeout == .zero ? nil : quietSince + timeout)
  }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    switch flow {
    case .bytes(let count):
      quietSince = now
      passing.append(Departure(.dropped(count), at: now))
    case .dropped: passing.append(Departure(flow, at: now))
    case .end, .close, .reset:
      guard !isOver else { return }
      isOver = true
      passing.append(Departure(flow == .reset ? .reset : .close, at: now))
    }
  }

  mutating func leave(at now: Instant) -> ToxicFlow? {
    if let departure = passing.popFirst() { return departure.flow }
    isOver = true
    return .close
  }

  mutating func change(to kind: ToxicKind, at now: Instant) {
    guard case .timeout(let toxic) = kind, toxic.timeout != timeout else { return }
    timeout = toxic.timeout
    quietSince = now
  }

  /// What was swallowed is missing, so the connection cannot go on without it.
  mutating func stop(isRemoved: Bool, at now: Instant) {
    timeout = .zero
    if isRemoved { take(.close, at: now) }
  }
}
