import LinkModel
import Quantities

/// Runs one direction of the link on virtual time, and tells each lane what became of its bytes.
final class VirtualDirection {
  private(set) var model: LinkDirection
  private(set) var rateMeter = RateMeter()
  private let time: VirtualTime
  private var lanes = LaneMap<VirtualLane>()
  private lazy var alarm = VirtualAlarm(on: time) { [unowned self] in change { _, _ in } }
  /// What lanes are still to be told, in the order in which it happened: one that is told something
  /// may offer bytes at once.
  private var untold = LinkDirection.Progress()
  /// What they are being told; empty, and kept for its memory, when they are not.
  private var telling = LinkDirection.Progress()
  private var isTelling = false

  init(_ conditions: DirectionConditions, random: SeededRandom, time: VirtualTime) {
    model = LinkDirection(conditions, random: random)
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

  /// Holds a lane back, as a receiver without room does, or lets it go on.
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

  private func change(_ body: (inout LinkDirection, Instant) -> Void) {
    let now = time.now
    model.advance(to: now, into: &untold)
    body(&model, now)
    model.advance(to: now, into: &untold)
    alarm.set(to: model.nextEvent)
    tell(now)
  }

  private func tell(_ now: Instant) {
    guard !isTelling else { return }
    isTelling = true
    while !untold.isEmpty {
      swap(&untold, &telling)
      for departure in telling.departures {
        rateMeter.add(
          departure.bytes, busyPeriod: departure.busyPeriod, on: model.schedule, at: now)
      }
      for arrival in telling.arrivals {
        lanes[arrival.lane]?.arrived(arrival.bytes, isEnd: arrival.isEnd)
      }
      for departure in telling.departures { lanes[departure.lane]?.departed() }
      telling.removeAll()
    }
    isTelling = false
  }
}
