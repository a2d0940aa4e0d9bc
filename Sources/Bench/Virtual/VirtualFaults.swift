import LinkModel
import Quantities

/// Does to one simulated connection what its `FaultPlan` says.
final class VirtualFaults {
  private var plan: FaultPlan
  private unowned let connection: VirtualConnection
  private let time: VirtualTime
  private lazy var alarm = VirtualAlarm(on: time) { [unowned self] in act { _, _ in [] } }
  private var hasStopped = false

  init(_ plan: FaultPlan, on connection: VirtualConnection, time: VirtualTime) {
    self.plan = plan
    self.connection = connection
    self.time = time
    for side in LinkSide.allCases {
      let lane = connection.lane(side)
      lane.watcher = { [unowned self] bytes, isEnd in
        act { plan, now in plan.passed(bytes, isEnd: isEnd, side, at: now) }
      }
      if let allowance = plan.allowance(side) { lane.allow(allowance) }
    }
    alarm.set(to: plan.nextEvent)
  }

  /// The connection has ended.
  func stop() {
    hasStopped = true
    alarm.set(to: nil)
  }

  private func act(_ body: (inout FaultPlan, Instant) -> [FaultPlan.Action]) {
    guard !hasStopped else { return }
    let now = time.now
    let due = plan.advance(to: now)
    let actions = due + body(&plan, now)
    alarm.set(to: plan.nextEvent)
    for action in actions where !hasStopped {
      switch action {
      case .allow(let side, let bytes): connection.lane(side).allow(bytes)
      case .end(let side): connection.lane(side).endSink()
      // What has come out has been handed on: a simulated end takes it at once.
      case .cut(let way, _): connection.cut(way)
      }
    }
  }
}
