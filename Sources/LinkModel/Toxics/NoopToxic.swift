import Quantities

/// Passes everything: for tests of what uses toxics.
struct NoopStage: ToxicStage {
  private var passing = FIFO<Departure>()

  var nextEvent: Instant? { passing.first?.at }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    passing.append(Departure(flow, at: now))
  }

  mutating func leave(at now: Instant) -> ToxicFlow? { passing.popFirst()?.flow }

  mutating func change(to kind: ToxicKind, at now: Instant) {}

  mutating func stop(isRemoved: Bool, at now: Instant) {}
}
