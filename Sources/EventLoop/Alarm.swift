package import Quantities

/// One deadline on a loop, which is set again whenever what it stands for changes.
package final class Alarm {
  private let loop: EventLoop
  private let ring: () -> Void
  private var timer: (deadline: Instant, id: EventLoop.TimerID)?

  /// Calls `ring` on the loop at each deadline that it is set to.
  package init(on loop: EventLoop, _ ring: @escaping () -> Void) {
    self.loop = loop
    self.ring = ring
  }

  deinit {
    set(to: nil)
  }

  /// In place of the deadline before it; nil for none.
  ///
  /// Costs nothing when it stays the same.
  package func set(to deadline: Instant?) {
    guard deadline != timer?.deadline else { return }
    if let timer { loop.cancel(timer.id) }
    timer = deadline.map { ($0, loop.schedule(at: $0, fire)) }
  }

  /// Made once: a deadline is set for every packet.
  private lazy var fire: () -> Void = { [unowned self] in
    timer = nil
    ring()
  }
}
