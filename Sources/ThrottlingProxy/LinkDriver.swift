import EventLoop
import LinkModel
import Quantities

/// Runs one direction of the link on an event loop, and tells each lane what became of its bytes.
final class LinkDriver {
  /// On the monotonic clock: waking a process and copying some 10 KB take well under a millisecond.
  private static let refillSeconds = 0.002
  /// On the monotonic clock: the shortest time after which Linux probes a window that is shut
  /// (TCP_RTO_MIN).
  private static let probeSeconds = 0.2
  /// Bytes that come so soon after lanes were told that the link ran empty count as if they had been
  /// there: a sender is late by about as much, and the link is never further ahead than that.
  private static let refillGrace = Duration.milliseconds(1)

  private var link: LinkTeller
  /// Whatever comes crosses at once.
  private(set) var isClear = false
  /// Bytes that may leave while a sender refills its kernel; zero where nothing has to be refilled.
  private(set) var refillBytes = 0
  private let loop: EventLoop
  private var lanes = LaneMap<ProxyLane>()
  private lazy var alarm = Alarm(on: loop) { [unowned self] in change { _, _ in } }
  private var isTelling = false
  private var lastDeparture = Instant.zero
  private var changedAt = Instant.zero

  init(_ conditions: DirectionConditions, random: SeededRandom, loop: EventLoop) {
    link = LinkTeller(conditions, random: random)
    self.loop = loop
    take(conditions)
  }

  var rateMeter: RateMeter { link.rateMeter }

  /// Bytes of a lane that wait to leave.
  func queued(_ lane: LinkDirection.LaneID) -> Int { link.model.queued(lane) }

  /// Bytes of a lane that have left and have not arrived.
  func propagating(_ lane: LinkDirection.LaneID) -> Int { link.model.propagating(lane) }

  func open(_ lane: ProxyLane) -> LinkDirection.LaneID {
    let id = link.openLane()
    lanes[id] = lane
    return id
  }

  func offer(_ bytes: Int, on lane: LinkDirection.LaneID) {
    change { model, now in
      let emptied = max(model.lastDeparture, changedAt)
      // What is offered while lanes are told of departures had been kept waiting by a full buffer. A
      // machine that was late to tell them must not make the link idle.
      let wasWaiting = isTelling || now - lastDeparture <= Self.refillGrace
      model.offer(bytes, on: lane, at: wasWaiting ? min(emptied, now) : now)
    }
  }

  func offerEnd(of lane: LinkDirection.LaneID) {
    change { model, now in model.offerEnd(of: lane, at: now) }
  }

  func setHeld(_ isHeld: Bool, lane: LinkDirection.LaneID) {
    change { model, now in model.setHeld(isHeld, lane: lane, at: now) }
  }

  /// Lets so many more bytes of a lane leave, and no others for now; nil is any number.
  func allow(_ bytes: Int?, on lane: LinkDirection.LaneID) {
    change { model, now in model.allow(bytes, on: lane, at: now) }
  }

  /// Drops what has not arrived of a lane, and the lane, which is told nothing any more.
  func discard(_ lane: LinkDirection.LaneID) {
    lanes[lane] = nil
    change { model, now in _ = model.discard(lane, at: now) }
  }

  /// Puts other conditions in force, from now on.
  func change(to conditions: DirectionConditions) {
    take(conditions)
    change { model, now in
      changedAt = now
      model.change(to: conditions, at: now)
    }
  }

  private func take(_ conditions: DirectionConditions) {
    isClear = conditions == DirectionConditions(rate: .unlimited)
    let rate = conditions.rate.fastest?.bytesPerSecond ?? 0
    refillBytes = Int(min(rate * refillTime.inSeconds, Double(Int32.max)))
  }

  var now: Instant { loop.now }

  /// The conditions have kept everything waiting for so long that a kernel probes: it decides nothing
  /// by that, since the window opens with the next departure, and the peer is told at once.
  var standsStill: Bool {
    now - lastDeparture >= .seconds(exactly: Self.probeSeconds * loop.scale.factor)
  }

  /// Link time in which a sender on this machine refills its kernel.
  var refillTime: Duration { .seconds(exactly: Self.refillSeconds * loop.scale.factor) }

  func afterRefill(_ action: @escaping () -> Void) {
    loop.schedule(at: now + refillTime, action)
  }

  /// Changes the model at the present instant, and sees to all that follows from it.
  private func change(_ body: (inout LinkDirection, Instant) -> Void) {
    let now = loop.now
    link.change(at: now, body)
    guard !isTelling else { return }
    isTelling = true
    var hasDeparted = false
    while let notice = link.next(at: now) {
      switch notice {
      case .arrived(let lane, let bytes, let isEnd): lanes[lane]?.arrived(bytes, isEnd: isEnd)
      case .departed(let lane):
        hasDeparted = true
        lanes[lane]?.departed()
      }
    }
    isTelling = false
    if hasDeparted { lastDeparture = now }
    alarm.set(to: link.model.nextEvent)
  }
}
