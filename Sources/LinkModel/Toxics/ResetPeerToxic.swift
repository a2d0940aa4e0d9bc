import Quantities

/// Resets the connection, a time after the first data or the end of it; nothing passes.
package struct ResetPeerToxic: Hashable, Sendable {
  package var timeout: Duration

  package init(timeout: Duration) {
    self.timeout = timeout
  }
}

struct ResetPeerStage: ToxicStage {
  private var timeout: Duration
  private var passing = FIFO<Departure>()
  private var begun: Instant?
  private var isOver = false

  init(_ toxic: ResetPeerToxic) {
    timeout = toxic.timeout
  }

  var nextEvent: Instant? { passing.first?.at ?? (isOver ? nil : begun.map { $0 + timeout }) }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    begun = begun ?? now
    if flow.count > 0 { passing.append(Departure(.dropped(flow.count), at: now)) }
  }

  mutating func leave(at now: Instant) -> ToxicFlow? {
    if let departure = passing.popFirst() { return departure.flow }
    isOver = true
    return .reset
  }

  mutating func change(to kind: ToxicKind, at now: Instant) {
    if case .resetPeer(let toxic) = kind { timeout = toxic.timeout }
  }

  /// Once it has begun, data is missing: then the reset comes now.
  mutating func stop(isRemoved: Bool, at now: Instant) {
    timeout = .zero
  }
}
