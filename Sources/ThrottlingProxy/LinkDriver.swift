import EventLoop
import LinkModel
import Quantities

/// Runs one direction of the link on an event loop, and tells each lane what became of its bytes.
final class LinkDriver {
  /// On the monotonic clock: waking a process and copying some 10 KB take well under a millisecond.
  private static let refillSeconds = 0.002

  private(set) var model: LinkDirection
  private(set) var rateMeter = RateMeter()
  private let loop: EventLoop
  private var lanes: [LinkDirection.LaneID: ProxyLane] = [:]
  private var timer: (deadline: Instant, id: EventLoop.TimerID)?
  /// What lanes are still to be told.
  ///
  /// A lane that is told something may offer bytes at once, so that more comes up meanwhile; all of
  /// it is told in the order in which it happened.
  private var untold = FIFO<LinkDirection.Progress>()
  private var isTelling = false

  init(_ conditions: DirectionConditions, loop: EventLoop) {
    model = LinkDirection(conditions)
    self.loop = loop
  }

  func open(_ lane: ProxyLane) -> LinkDirection.LaneID {
    let id = model.openLane()
    lanes[id] = lane
    return id
  }

  func offer(_ bytes: Int, on lane: LinkDirection.LaneID) {
    change { model, now in model.offer(bytes, on: lane, at: now) }
  }

  func offerEnd(of lane: LinkDirection.LaneID) {
    change { model, now in model.offerEnd(of: lane, at: now) }
  }

  func setHeld(_ isHeld: Bool, lane: LinkDirection.LaneID) {
    change { model, now in model.setHeld(isHeld, lane: lane, at: now) }
  }

  /// Drops what has not arrived of a lane, and the lane, which is told nothing any more.
  func discard(_ lane: LinkDirection.LaneID) {
    lanes[lane] = nil
    change { model, now in _ = model.discard(lane, at: now) }
  }

  var now: Instant { loop.now }

  /// Link time in which a sender on this machine refills its kernel.
  var refillTime: Duration { .seconds(exactly: Self.refillSeconds * loop.scale.factor) }

  func afterRefill(_ action: @escaping () -> Void) {
    loop.schedule(at: now + refillTime, action)
  }

  /// Changes the model at the present instant, and sees to all that follows from it.
  private func change<Result>(_ body: (inout LinkDirection, Instant) -> Result) -> Result {
    let now = loop.now
    untold.append(model.advance(to: now))
    let result = body(&model, now)
    untold.append(model.advance(to: now))
    arm()
    tell(now)
    return result
  }

  private func tell(_ now: Instant) {
    guard !isTelling else { return }
    isTelling = true
    while let progress = untold.popFirst() {
      for arrival in progress.arrivals {
        guard let lane = lanes[arrival.lane] else { continue }
        rateMeter.add(arrival.bytes, busyPeriod: arrival.busyPeriod, at: now)
        lane.arrived(arrival.bytes, isEnd: arrival.isEnd)
      }
      // Once for all its packets: between them its sender has had no time to send more.
      var told: Set<LinkDirection.LaneID> = []
      for id in progress.departures where told.insert(id).inserted { lanes[id]?.departed() }
    }
    isTelling = false
  }

  private func arm() {
    let next = model.nextEvent
    guard next != timer?.deadline else { return }
    if let timer { loop.cancel(timer.id) }
    timer = next.map { deadline in
      let id = loop.schedule(at: deadline) { [unowned self] in
        timer = nil
        change { _, _ in }
      }
      return (deadline, id)
    }
  }
}
