import EventLoop
import LinkModel
import Quantities

/// Does to one connection what its fault plan says, on an event loop.
final class FaultDriver {
  /// On the monotonic clock: from one look at a kernel that has not sent all before a cut to the next.
  private static let pollSeconds = 0.002

  private var plan: FaultPlan
  private unowned let connection: ProxyConnection
  private let loop: EventLoop
  private lazy var alarm = Alarm(on: loop) { [unowned self] in
    perform(plan.advance(to: loop.now))
  }
  private var hasStopped = false

  init(_ plan: FaultPlan, on connection: ProxyConnection, loop: EventLoop) {
    self.plan = plan
    self.connection = connection
    self.loop = loop
  }

  func start() {
    for side in LinkSide.allCases {
      connection.lane(side).watcher = { [unowned self] bytes, isEnd in
        perform(plan.passed(bytes, isEnd: isEnd, side, at: loop.now))
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
      case .allow(let side, let bytes): connection.allow(bytes, side)
      case .end(let side): connection.lane(side).endSink()
      case .cut(let way, let side): cut(way, behind: side)
      }
    }
  }

  private func cut(_ way: ConnectionCut, behind side: LinkSide?) {
    guard let side else { return connection.cut(way) }
    connection.lane(side).afterwards { [unowned self] in cutOnceSent(way, behind: side) }
  }

  /// A reset would take from the far end what its kernel could not be sent yet.
  private func cutOnceSent(_ way: ConnectionCut, behind side: LinkSide) {
    guard !hasStopped else { return }
    if way != .reset || connection.lane(side).unsent == 0 { return connection.cut(way) }
    loop.schedule(at: loop.now + .seconds(exactly: Self.pollSeconds * loop.scale.factor)) {
      [weak self] in self?.cutOnceSent(way, behind: side)
    }
  }
}
