import LinkModel
import Quantities

/// Runs one direction of the link on virtual time, and tells each lane what became of its bytes.
final class VirtualDirection {
  private var link: LinkTeller
  private let time: VirtualTime
  private var lanes = LaneMap<VirtualLane>()
  private lazy var alarm = VirtualAlarm(on: time) { [unowned self] in change { _, _ in } }
  private var isTelling = false

  init(_ conditions: DirectionConditions, random: SeededRandom, time: VirtualTime) {
    link = LinkTeller(conditions, random: random)
    self.time = time
  }

  var rateMeter: RateMeter { link.rateMeter }

  /// Bytes of a lane that wait to leave.
  func queued(_ lane: LinkDirection.LaneID) -> Int { link.model.queued(lane) }

  /// Bytes of a lane that have left and have not arrived.
  func propagating(_ lane: LinkDirection.LaneID) -> Int { link.model.propagating(lane) }

  func open(_ lane: VirtualLane) -> LinkDirection.LaneID {
    let id = link.openLane()
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
    link.change(at: now, body)
    alarm.set(to: link.model.nextEvent)
    guard !isTelling else { return }
    isTelling = true
    while let notice = link.next(at: now) {
      switch notice {
      case .arrived(let lane, let bytes, let isEnd): lanes[lane]?.arrived(bytes, isEnd: isEnd)
      case .departed(let lane): lanes[lane]?.departed()
      }
    }
    isTelling = false
  }
}
