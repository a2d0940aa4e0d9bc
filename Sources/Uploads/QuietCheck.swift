import Quantities

/// Finds out why an upload stands still: first the link, then the engine's health route.
package struct QuietCheck: Sendable {
  private let desk: UploadDesk
  private let sending: Sending
  private let clock: any LinkClock
  private let linkCheck: any LinkCheck
  private let policy: UploadPolicy

  package init(
    desk: UploadDesk, sending: Sending, clock: any LinkClock, linkCheck: any LinkCheck,
    policy: UploadPolicy
  ) {
    self.desk = desk
    self.sending = sending
    self.clock = clock
    self.linkCheck = linkCheck
    self.policy = policy
  }

  /// Watches the request that the entry has in flight, until the task is cancelled.
  package func watch(_ id: String) async {
    // A check that is cancelled leaves its time as it was: without a look the loop would never end.
    while !Task.isCancelled, let due = await desk.checkDue(id) {
      if clock.now < due {
        guard (try? await clock.sleep(until: due)) != nil else { return }
      } else {
        await check(id)
      }
    }
  }

  private func check(_ id: String) async {
    let link = await linkCheck.state()
    guard link != .down else {
      await desk.found(QuietFinding(link: link, engine: .notAsked, at: clock.now), for: id)
      return
    }
    await desk.found(QuietFinding(link: link, engine: .asked, at: clock.now), for: id)
    guard let result = await sending.send(StepRequest(healthUnder: policy)) else { return }
    await desk.found(
      QuietFinding(link: link, engine: .init(health: result), at: clock.now), for: id)
  }
}

extension QuietFinding.Engine {
  /// What the end of a request for the health route says of the engine.
  package init(health result: SendResult) {
    switch result {
    case .answered(let answer):
      let health = readJSON(Health.self, answer.body)
      self =
        answer.status == 200 && health?.ok == true && health?.engine == "onebar"
        ? .answered : .stranger(answer.status)
    case .expired(.noConnection(let time)), .expired(.noByte(let time)),
      .expired(.noAnswer(let time)), .expired(.ceiling(let time)):
      self = .silent(time)
    case .failed(let failure):
      self = .unreachable(failure.sentence)
    }
  }
}

private struct Health: Decodable {
  var ok: Bool
  var engine: String
}
