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

  private(set) var model: LinkDirection
  /// Whatever comes crosses at once.
  private(set) var isClear = false
  /// Bytes that may leave while a sender refills its kernel; zero where nothing has to be refilled.
  private(set) var refillBytes = 0
  private(set) var rateMeter = RateMeter()
  private let loop: EventLoop
  private var lanes = LaneMap<ProxyLane>()
  private lazy var alarm = Alarm(on: loop) { [unowned self] in change { _, _ in } }
  /// What lanes are still to be told.
  ///
  /// A lane that is told something may offer bytes at once, so that more comes up meanwhile; all of
  /// it is told in the order in which it happened.
  private var untold = LinkDirection.Progress()
  /// What they are being told; empty, and kept for its memory, when they are not.
  private var telling = LinkDirection.Progress()
  private var isTelling = false
  private var rounds = 0
  private var lastDeparture = Instant.zero
  private var changedAt = Instant.zero
  /// The round in which a lane was last told that packets of it left.
  private var roundTold = LaneMap<Int>()

  init(_ conditions: DirectionConditions, random: SeededRandom, loop: EventLoop) {
    model = LinkDirection(conditions, random: random)
    self.loop = loop
    take(conditions)
  }

  func open(_ lane: ProxyLane) -> LinkDirection.LaneID {
    let id = model.openLane()
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
    model.advance(to: now, into: &untold)
    body(&model, now)
    model.advance(to: now, into: &untold)
    guard !isTelling else { return }
    tell(now)
    alarm.set(to: model.nextEvent)
  }

  private func tell(_ now: Instant) {
    isTelling = true
    var hasDeparted = false
    while !untold.isEmpty {
      swap(&untold, &telling)
      for departure in telling.departures {
        rateMeter.add(
          departure.bytes, busyPeriod: departure.busyPeriod, on: model.schedule, at: now)
      }
      tellArrivals()
      // Once for all its packets: between them its sender has had no time to send more.
      hasDeparted = hasDeparted || !telling.departures.isEmpty
      rounds += 1
      for departure in telling.departures where roundTold[departure.lane] != rounds {
        roundTold[departure.lane] = rounds
        lanes[departure.lane]?.departed()
      }
      telling.removeAll()
    }
    isTelling = false
    if hasDeparted { lastDeparture = now }
  }

  /// Packets of one lane in a row are one to it: they are handed on in one write.
  private func tellArrivals() {
    var waiting: LinkDirection.Arrival?
    for arrival in telling.arrivals {
      if let first = waiting, first.lane == arrival.lane {
        waiting?.bytes += arrival.bytes
        waiting?.isEnd = arrival.isEnd
      } else {
        waiting.map { lanes[$0.lane]?.arrived($0.bytes, isEnd: $0.isEnd) }
        waiting = arrival
      }
    }
    waiting.map { lanes[$0.lane]?.arrived($0.bytes, isEnd: $0.isEnd) }
  }
}
