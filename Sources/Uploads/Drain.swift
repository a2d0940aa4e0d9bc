/// Passes over the queue, one at a time: each entry in capture order, each step in its order.
package struct Drain: Sendable {
  private let desk: UploadDesk
  private let sending: Sending
  private let bell: Bell
  private let clock: any LinkClock
  /// Nil when nobody is shown what it finds.
  private let quietCheck: QuietCheck?

  package init(
    desk: UploadDesk, sending: Sending, bell: Bell, clock: any LinkClock,
    linkCheck: any LinkCheck, policy: UploadPolicy
  ) {
    self.desk = desk
    self.sending = sending
    self.bell = bell
    self.clock = clock
    // The old client's labels have no place for a finding.
    quietCheck =
      policy.line == .live
      ? QuietCheck(desk: desk, sending: sending, clock: clock, linkCheck: linkCheck, policy: policy)
      : nil
  }

  /// Runs passes as they fall due, until the task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      if await desk.passIsDue() {
        await pass()
      } else {
        await bell.wait(until: await desk.syncDue, on: clock)
      }
    }
  }

  /// A transient failure ends the pass, since what comes after it would meet the same; a parked
  /// entry does not.
  private func pass() async {
    for id in await desk.beginPass() {
      guard await advance(id) else {
        await desk.endPass(well: false)
        return
      }
    }
    await desk.endPass(well: true)
  }

  /// Takes an entry as far as it goes; false when the pass has to end there.
  private func advance(_ id: String) async -> Bool {
    while !Task.isCancelled {
      switch await desk.order(for: id) {
      case .retired, .parked, .heldBack: return true
      case .notDue: return false
      case .send(let step, let request):
        guard let result = await send(request, of: step, for: id) else {
          await desk.stopped(id)
          return false
        }
        guard await desk.settle(step, result, for: id) else { return false }
      }
    }
    return false
  }

  /// Sends, and looks into the silence of a file's upload while it lasts; nil when stopped.
  private func send(
    _ request: StepRequest, of step: PlannedStep, for id: String
  ) async -> SendResult? {
    await withTaskGroup(of: Child.self) { group in
      group.addTask {
        let result = await sending.send(request) { exchange in
          await desk.begun(exchange, for: id)
        } note: { event, now in
          await desk.note(event, for: id, at: now)
        }
        return .sent(result)
      }
      if case .file = step, let quietCheck {
        group.addTask {
          await quietCheck.watch(id)
          return .watched
        }
      }
      var result: SendResult?
      for await case .sent(let ended) in group {
        result = ended
        group.cancelAll()
      }
      return result
    }
  }

  private enum Child: Sendable {
    case sent(SendResult?)
    case watched
  }
}
