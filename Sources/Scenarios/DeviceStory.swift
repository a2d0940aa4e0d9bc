import Quantities

/// What the acts of a scenario make of the device, one after the other.
struct DeviceStory {
  /// A time in which no client runs.
  struct DeadSpan {
    var since: Duration
    /// What ended the client.
    var end: ActWord
    /// Nil when it is never started again.
    var until: Duration?
  }

  /// In order; no client runs while the last one has no end.
  private var deadSpans: [DeadSpan] = []
  private var isOff = false
  private var isFull = false
  private var clock = Duration.zero

  /// Takes the next act; the reason when it makes no sense there.
  mutating func take(_ deed: Act.Deed, at now: Duration) -> ScenarioProblem? {
    let dead = deadSpans.last.flatMap { $0.until == nil ? $0 : nil }
    switch deed {
    case .kill, .refresh, .sendNow, .discard:
      if let dead {
        return .actOfTheDead(deed.word.rawValue, since: dead.since, end: dead.end.rawValue)
      }
      if deed == .kill { deadSpans.append(DeadSpan(since: now, end: .kill)) }
    case .powerLoss:
      // What a killed client has written is safe from everything but this.
      guard !isOff else { return .powerIsLost }
      isOff = true
      if dead == nil { deadSpans.append(DeadSpan(since: now, end: .powerLoss)) }
    case .start:
      guard dead != nil else { return .startOfTheLiving }
      deadSpans[deadSpans.count - 1].until = now
      isOff = false
    case .fillDisk, .freeDisk:
      guard isFull != (deed == .fillDisk) else { return isFull ? .diskIsFull : .diskIsNotFull }
      isFull.toggle()
    case .setClock(let jump):
      clock += jump
      if !ScenarioLimits.clockJump.contains(clock) { return .clockTooFar(clock) }
    }
    return nil
  }

  /// The time without a client that an instant falls into.
  ///
  /// What is saved at the instant of a power loss may be caught by it: that is a story to tell.
  func deadSpan(at instant: Duration) -> DeadSpan? {
    deadSpans.first { span in
      (span.end == .powerLoss ? instant > span.since : instant >= span.since)
        && span.until.map { instant < $0 } ?? true
    }
  }
}
