import LinkModel
import Quantities

/// Runs one direction of the link on virtual time, and tells each lane what became of its bytes.
final class VirtualDirection {
  private(set) var model: LinkDirection
  private(set) var rateMeter = RateMeter()
  private let time: VirtualTime
  private var lanes: [LinkDirection.LaneID: VirtualLane] = [:]
  private var timer: (deadline: Instant, id: VirtualTime.TimerID)?
  /// What lanes are still to be told, in the order in which it happened: one that is told something
  /// may offer bytes at once.
  private var untold: [LinkDirection.Progress] = []
  private var isTelling = false

  init(_ conditions: DirectionConditions, time: VirtualTime) {
    model = LinkDirection(conditions)
    self.time = time
  }

  func open(_ lane: VirtualLane) -> LinkDirection.LaneID {
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

  /// Drops what has not arrived of a lane, and the lane, which is told nothing any more.
  func discard(_ lane: LinkDirection.LaneID) {
    lanes[lane] = nil
    change { model, now in _ = model.discard(lane, at: now) }
  }

  private func change(_ body: (inout LinkDirection, Instant) -> Void) {
    let now = time.now
    advance(to: now)
    body(&model, now)
    advance(to: now)
    arm()
    tell(now)
  }

  private func advance(to now: Instant) {
    let progress = model.advance(to: now)
    if !progress.departures.isEmpty || !progress.arrivals.isEmpty { untold.append(progress) }
  }

  private func tell(_ now: Instant) {
    guard !isTelling else { return }
    isTelling = true
    var place = 0
    while place < untold.count {
      let progress = untold[place]
      place += 1
      for arrival in progress.arrivals {
        guard let lane = lanes[arrival.lane] else { continue }
        rateMeter.add(arrival.bytes, busyPeriod: arrival.busyPeriod, at: now)
        lane.arrived(arrival.bytes, isEnd: arrival.isEnd)
      }
      for lane in progress.departures { lanes[lane]?.departed() }
    }
    untold.removeAll(keepingCapacity: true)
    isTelling = false
  }

  private func arm() {
    let next = model.nextEvent
    guard next != timer?.deadline else { return }
    if let timer { time.cancel(timer.id) }
    let here = OnVirtualThread(self)
    timer = next.map { deadline in
      let id = time.at(deadline) {
        here.part.timer = nil
        here.part.change { _, _ in }
      }
      return (deadline, id)
    }
  }
}
