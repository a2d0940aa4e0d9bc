package import Quantities

/// Closes the connection once a number of bytes has passed.
package struct LimitDataToxic: Hashable, Sendable {
  /// At zero the first data closes it.
  package var bytes: ByteCount

  package init(bytes: ByteCount) {
    self.bytes = bytes
  }
}

struct LimitDataStage: ToxicStage {
  private var limit: Int
  private var passed = 0
  private var passing = FIFO<Departure>()
  private var isOver = false

  init(_ toxic: LimitDataToxic) {
    limit = toxic.bytes.bytes
  }

  var nextEvent: Instant? { passing.first?.at }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    guard case .bytes(let count) = flow else {
      if flow.count > 0 || !isOver { passing.append(Departure(flow, at: now)) }
      return
    }
    let passes = isOver ? 0 : min(count, max(0, limit - passed))
    passed += passes
    if passes > 0 { passing.append(Departure(.bytes(passes), at: now)) }
    if passes < count { passing.append(Departure(.dropped(count - passes), at: now)) }
    if passed >= limit, !isOver {
      isOver = true
      passing.append(Departure(.close, at: now))
    }
  }

  mutating func leave(at now: Instant) -> ToxicFlow? { passing.popFirst()?.flow }

  /// What has passed counts for the new limit, too.
  mutating func change(to kind: ToxicKind, at now: Instant) {
    if case .limitData(let toxic) = kind { limit = toxic.bytes.bytes }
  }

  mutating func stop(isRemoved: Bool, at now: Instant) {}
}
