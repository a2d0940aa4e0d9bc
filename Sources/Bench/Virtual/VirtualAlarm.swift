import Quantities

/// One deadline of virtual time, which is set again whenever what it stands for changes.
final class VirtualAlarm {
  private let time: VirtualTime
  private let ring: () -> Void
  private var timer: (deadline: Instant, id: VirtualTime.TimerID)?

  /// Calls `ring` at each deadline that it is set to.
  init(on time: VirtualTime, _ ring: @escaping () -> Void) {
    self.time = time
    self.ring = ring
  }

  /// In place of the deadline before it; nil for none.
  func set(to deadline: Instant?) {
    guard deadline != timer?.deadline else { return }
    if let timer { time.cancel(timer.id) }
    let here = OnVirtualThread(self)
    timer = deadline.map { deadline in
      let id = time.at(deadline) {
        here.part.timer = nil
        here.part.ring()
      }
      return (deadline, id)
    }
  }
}
