import Captures
package import Quantities

/// The client's one place of truth: what is kept, the queue, the schedule of passes and the board.
///
/// What is kept, what is asked for and what is shown change together here, each in one step that
/// nothing can come between.
package actor UploadDesk {
  /// What a pass does with an entry next.
  package enum Order: Sendable {
    case send(PlannedStep, StepRequest)
    /// Every step has landed, and the entry has been forgotten.
    case retired
    case parked
    /// It needs a faster link, or rests; the pass goes on without it.
    case heldBack
    /// The engine asked for time that has not passed yet.
    case notDue
  }

  private let policy: UploadPolicy
  private let clock: any LinkClock
  private let report: @Sendable (BenchReport) -> Void
  private var store: any EntryStore
  private var schedule: PassSchedule
  private var board: StatusBoard
  private var items: SendQueue

  /// Takes over a store as it was recovered.
  ///
  /// Nothing is shown before ``open(_:)``; `lasting` as in ``StatusBoard``.
  package init(
    _ store: any EntryStore, _ recovery: Outbox.Recovery, policy: UploadPolicy,
    clock: any LinkClock,
    print: @escaping @Sendable (String) -> Void, lasting: (@Sendable (String) -> Void)? = nil,
    report: @escaping @Sendable (BenchReport) -> Void
  ) {
    self.store = store
    self.policy = policy
    self.clock = clock
    self.report = report
    schedule = PassSchedule(policy, now: clock.now)
    board = StatusBoard(
      style: policy.line, inPage: policy.client == .card, numbers: policy.numbers,
      print: { text, claim in
        // First, so that whoever reads the line finds its claim.
        if let claim { report(.shown(text, claim)) }
        print(text)
      }, lasting: lasting)
    items = SendQueue(recovery.entries, in: policy.order)
  }

  /// Shows what was recovered, and asks for a first pass when there is something to send.
  package func open(_ recovery: Outbox.Recovery) {
    for name in recovery.damaged {
      board.say("A record could not be read and was set aside: \(name).damaged")
    }
    for index in items.indices {
      let entry = items[index].entry
      report(
        .recovered(
          capture: entry.capture, moment: entry.moment, media: entry.media, done: entry.done))
      reportState(of: items[index])
      if policy.backsOff { items[index].rest(after: nil, now: clock.now) }
    }
    show()
    if items.contains(where: \.isToBeSent) { schedule.ask() }
  }

  // MARK: What the user does

  /// Commits a capture as of a time, so that it is safe; nil when it failed, which is shown and
  /// leaves nothing.
  package func commit(_ draft: CaptureDraft, at time: Instant) -> OutboxEntry? {
    do throws(FileSystemError) {
      return try store.commit(draft, now: time)
    } catch {
      notSaved(draft.capture, error.description)
      return nil
    }
  }

  /// Shows a committed capture, and asks for a drain.
  package func keep(_ entry: OutboxEntry) {
    items.insert(entry)
    report(.saved(capture: entry.capture, moment: entry.moment, media: entry.media))
    report(.state(capture: entry.capture, .kept))
    show()
    schedule.ask()
  }

  package func notSaved(_ capture: String, _ reason: String) {
    board.say("Not saved on this device: \(reason)")
    report(.notSaved(capture: capture, reason: reason))
  }

  package func askForDrain() { schedule.ask() }

  /// Sends an entry at the user's wish, under the ids that it has, as soon as a pass can begin.
  ///
  /// One that was refused, is held or rests is so no more. Only what the engine itself has asked for is still
  /// waited for. An unknown name asks for a drain all the same.
  package func sendNow(_ name: String) {
    if let index = items.index(named: name) { release(index) }
    schedule.ask()
  }

  /// Lets an entry be sent by the next pass, whatever has kept it back.
  private func release(_ index: Int) {
    guard items[index].isHeldBack else { return }
    items[index].entry.release()
    items[index].restsUntil = nil
    note(items[index].entry)
    if !items[index].isToBeSent { setState(.kept, at: index) }
    show()
  }

  /// Gives an entry up at the user's wish: its record goes first, then its files.
  ///
  /// A request in flight is cut with a reset, and the files go once it has ended. What has landed
  /// stays with the engine. A failure is shown, and leaves the entry as it was.
  package func discard(_ name: String) {
    guard let index = items.index(named: name), items[index].state != .discarded else { return }
    let entry = items[index].entry
    do throws(FileSystemError) {
      try store.removeRecord(of: entry)
    } catch {
      board.say("Not discarded on this device: \(entry.capture): \(error)")
      return
    }
    let isInFlight = items[index].progress != nil
    setState(.discarded, at: index)
    show()
    items[index].exchange?.cut(.reset)
    if !isInFlight { forgetDiscarded(index) }
  }

  /// Takes up what other processes have committed to the outbox, and asks for a drain of it.
  package func takeUpNewcomers() throws(FileSystemError) -> [OutboxEntry] {
    let newcomers = try store.newcomers()
    for entry in newcomers { keep(entry) }
    return newcomers
  }

  /// How far the queue is, for who looks at it from outside.
  package func glance() -> QueueGlance {
    items.glance(under: policy, isAtRest: schedule.isAtRest, at: clock.now)
  }

  /// The device's wall clock was set; what is committed from now on is dated by it.
  package func setWallClock(ahead: Duration) { store.mint.clock.ahead = ahead }

  /// Prints the lines that time alone has changed.
  package func tick() { show() }

  /// The next tick, counted from the start of the request in flight: then the whole seconds of its
  /// line fall on ticks, and the line changes a second apart and not later.
  package func nextTick(every tick: Duration) -> Instant {
    let origin = items.first { $0.state == .sending }?.progress?.began ?? .zero
    let ticks = (clock.now - origin).nanoseconds / tick.nanoseconds
    return origin + tick * (ticks + 1)
  }

  // MARK: Passes

  package var syncDue: Instant { schedule.syncDue }

  package func passIsDue() -> Bool { schedule.isDue(at: clock.now) }

  /// The entries of this pass, in capture order; what is saved from now on waits for another.
  package func beginPass() -> [String] {
    schedule.begin()
    let now = clock.now
    for index in items.indices where items[index].state == .kept && !items[index].rests(at: now) {
      if !policy.doneSet { items[index].entry.done = [] }
      setState(.waiting, at: index)
    }
    // The lines follow with the first order, so that the entry at the head is not said to wait.
    return items.sendOrder.filter { items[$0].state == .waiting }.map { items[$0].entry.id }
  }

  /// Decides what an entry of the pass does next, and shows it before it is done.
  package func order(for id: String) -> Order {
    guard let index = items.index(of: id) else { return .retired }
    switch items[index].state {
    case .parked: return .parked
    case .held: return .heldBack
    case .discarded:
      forgetDiscarded(index)
      return .retired
    case .kept, .waiting, .sending, .done: items[index].exchange = nil
    }
    guard var step = items[index].entry.next(in: policy.order) else {
      retire(index)
      return .retired
    }
    if let notBefore = items[index].notBefore, clock.now < notBefore { return .notDue }
    if items[index].rests(at: clock.now) { return .heldBack }
    if !policy.stableIDs { renew(&step, of: index) }
    let entry = items[index].entry
    do {
      let request = try StepRequest(for: step, of: entry, in: store.folder, under: policy)
      items[index].progress = RequestProgress(
        step: step, follower: entry.follower(of: step, in: policy.order),
        total: request.request.bodyBytes,
        photos: entry.kind == .plate ? entry.files.count : 0, began: clock.now,
        attempt: items[index].attempts(of: step.name) + 1)
      setState(.sending, at: index)
      show()
      return .send(step, request)
    } catch {
      park(index, "its request cannot be written: \(error)", ofFile: false, as: .unsendable)
      return .parked
    }
  }

  /// Takes what the request in flight can be cut by; one that was given up meanwhile is cut.
  package func begun(_ exchange: any Exchange, for id: String) {
    guard let index = items.index(of: id) else { return }
    items[index].exchange = exchange
    if items[index].state == .discarded { exchange.cut(.reset) }
  }

  /// Takes one event of the request in flight.
  package func note(_ event: ExchangeEvent, for id: String, at now: Instant) {
    guard let index = items.index(of: id), let step = items[index].progress?.step else { return }
    if case .began = event {
      // A transport that repeats a request by itself has made a further attempt.
      endAttempt(index, "repeated by the transport")
      report(items[index].beginAttempt(at: step.name))
    }
    let wasHandedOver = items[index].progress?.handedOver != nil
    items[index].progress?.note(event, at: now)
    if case .file = step, !wasHandedOver, items[index].progress?.handedOver != nil { show() }
  }

  /// Takes what came of the request in flight; false when the pass has to end there.
  package func settle(_ step: PlannedStep, _ result: SendResult, for id: String) -> Bool {
    guard let index = items.index(of: id) else { return false }
    if items[index].state == .discarded {
      endAttempt(index, "discarded")
      forgetDiscarded(index)
      return true
    }
    let judgement = Judgement(
      result, for: step, of: items[index].entry, strangers: policy.strangers)
    switch judgement {
    case .landed:
      endAttempt(index, "landed")
      items[index].landed(step)
      if policy.doneSet { note(items[index].entry) }
      releaseSlow(afterLanding: step, since: items[index].progress?.began)
      return true
    case .permanent(let reason, let ofFile, let parking):
      endAttempt(index, "\(parking.word.lowercased()): \(reason)")
      park(index, reason, ofFile: ofFile, as: parking)
      return true
    case .transient(let reason, let retryAfter):
      endAttempt(index, "failed: \(reason)")
      if hasChanged(step, result) {
        park(
          index, "its file has changed on this device since it was saved", ofFile: true,
          as: .unsendable)
        return true
      }
      if policy.holdsSlow, step.isFile, case .expired(.ceiling) = result {
        hold(index, step)
        return true
      }
      items[index].failure = reason
      items[index].notBefore = retryAfter.map { clock.now + $0 }
      if policy.backsOff, case .answered = result, items[index].hasSentFile {
        items[index].bodyRefused(reason, now: clock.now)
        note(items[index].entry)
      }
      return false
    }
  }

  // MARK: What is held back

  private func hold(_ index: Int, _ step: PlannedStep) {
    items[index].held(step)
    note(items[index].entry)
    setState(.held, at: index)
    show()
  }

  /// Lets held entries go whose file would pass on a link like the one that a body has just shown.
  private func releaseSlow(afterLanding step: PlannedStep, since began: Instant?) {
    guard case .file(let file) = step, let began else { return }
    let time = clock.now - began
    for index in items.indices where items[index].state == .held {
      guard let slow = SlowFile(of: items[index].entry, under: policy),
        slow.passes(where: file.bytes, tookOnly: time)
      else { continue }
      release(index)
      schedule.ask()
    }
  }

  /// Whether a file that was stored as something else is no longer what was saved: no further try
  /// would get another receipt.
  private func hasChanged(_ step: PlannedStep, _ result: SendResult) -> Bool {
    guard case .file(let file) = step, case .answered(let answer) = result,
      (200..<300).contains(answer.status)
    else { return false }
    return store.isAsKept(file) == false
  }

  /// Mints the ids of a step anew, and says so where the engine will know the capture by another.
  private func renew(_ step: inout PlannedStep, of index: Int) {
    let old = items[index].entry
    let identity = store.renewedIdentity(of: items[index].entry, now: clock.now)
    items[index].entry.renew(step, as: identity)
    let entry = items[index].entry
    step = entry.plan.first { $0.name == step.name } ?? step
    if entry.moment != old.moment || entry.kind == .plate {
      report(.renamed(capture: entry.capture, moment: entry.moment, media: entry.media))
    }
  }

  /// The request in flight was cut because the client ends.
  package func stopped(_ id: String) {
    if let index = items.index(of: id) { endAttempt(index, "stopped") }
  }

  /// Ends the pass; `well` unless a transient failure ended it.
  package func endPass(well: Bool) {
    for index in items.indices.reversed() where items[index].state == .discarded {
      forgetDiscarded(index)
    }
    for index in items.indices where items[index].isToBeSent {
      items[index].progress = nil
      setState(.kept, at: index)
    }
    show()
    schedule.end(well: well, now: clock.now)
    report(.passed)
  }

  // MARK: Checks

  /// When the request in flight is due for a check; nil when there is none.
  package func checkDue(_ id: String) -> Instant? {
    items.index(of: id).flatMap { items[$0].progress?.checkDue }
  }

  /// Takes what a check has found, so far or at its end.
  package func found(_ finding: QuietFinding, for id: String) {
    guard let index = items.index(of: id) else { return }
    items[index].progress?.found(finding)
    show()
  }

  // MARK: Changes

  private func setState(_ state: EntryState, at index: Int) {
    guard items[index].state != state else { return }
    items[index].state = state
    reportState(of: items[index])
  }

  private func reportState(of item: QueueItem) {
    report(.state(capture: item.entry.capture, item.state))
  }

  private func endAttempt(_ index: Int, _ outcome: String) {
    if let ended = items[index].endAttempt(outcome) { report(ended) }
  }

  private func park(_ index: Int, _ reason: String, ofFile: Bool, as parking: Parking) {
    items[index].parked(reason, ofFile: ofFile, as: parking)
    note(items[index].entry)
    setState(.parked, at: index)
    show()
  }

  /// Writes down what has become of an entry; a failure is shown, and loses nothing.
  ///
  /// A later run sends the step again under the same ids: the engine answers it as a replay, or
  /// refuses it again.
  private func note(_ entry: OutboxEntry) {
    do throws(FileSystemError) {
      try store.save(entry)
    } catch {
      board.say("Not noted on this device, how far \(entry.capture) is: \(error)")
    }
  }

  private func retire(_ index: Int) {
    setState(.done, at: index)
    show()
    let entry = items.remove(at: index)
    board.forget(entry)
    // When it cannot be removed, a later run replays what its record still lacks, and tries again.
    try? store.retire(entry)
  }

  /// Lets go of an entry that was given up, now that no request reads its files.
  private func forgetDiscarded(_ index: Int) {
    let entry = items.remove(at: index)
    board.forget(entry)
    // Without their record, the next sweep takes what is left.
    try? store.removeFiles(of: entry)
  }

  private func show() {
    let now = clock.now
    for (standing, entry) in items.standings(under: policy, at: now) {
      board.show(standing, of: entry, now: now)
    }
  }
}
