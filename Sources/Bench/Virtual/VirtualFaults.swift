import LinkModel
import Quantities

/// Does to one simulated connection what its `FaultPlan` says.
final class VirtualFaults {
  private var plan: FaultPlan
  private unowned let connection: VirtualConnection
  private let time: VirtualTime
  private lazy var alarm = VirtualAlarm(on: time) { [unowned self] in
    perform(plan.advance(to: time.now))
  }
  private var hasStopped = false

  init(_ plan: FaultPlan, on connection: VirtualConnection, time: VirtualTime) {
    self.plan = plan
    self.connection = connection
    self.time = time
    for side in LinkSide.allCases {
      connection.lane(side).watcher = { [unowned self] bytes, isEnd in
        perform(self.plan.passed(bytes, isEnd: isEnd, side, at: time.now))
      }
    }
    perform(plan.atFirst)
  }

  /// The connection has ended.
  func stop() {
    hasStopped = true
    alarm.set(to: nil)
  }

  private func perform(_ actions: [FaultPlan.Action]) {
    guard !hasStopped else { return }
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
