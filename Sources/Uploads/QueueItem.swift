package import Captures
package import Quantities

/// An entry of the queue, and what this process knows of it beyond its record.
package struct QueueItem: Sendable {
  package var entry: OutboxEntry
  package var state: EntryState
  /// The last transient failure, in words.
  package var failure: String?
  /// The engine asked for no attempt before.
  package var notBefore: Instant?
  /// It rests until then, and does not hold up the others.
  package var restsUntil: Instant?
  /// The request in flight.
  package var progress: RequestProgress?
  /// Attempts so far of each step; only ever looked up.
  private var attempts: [StepName: Int] = [:]
  /// The attempt in flight has begun, and its end has not been reported.
  private var isAttempting = false
  /// What can be cut of the request in flight.
  package var exchange: (any Exchange)?

  /// What its line has said last.
  package var shown: EntryStanding?

  package init(_ entry: OutboxEntry) {
    self.entry = entry
    state = entry.refused != nil ? .parked : entry.held != nil ? .held : .kept
  }

  /// A pass will come to it, or is at it.
  package var isToBeSent: Bool {
    switch state {
    case .kept, .waiting, .sending: true
    case .done, .parked, .held, .discarded: false
    }
  }

  /// Something keeps it back that the user, or time, can lift.
  package var isHeldBack: Bool {
    state == .parked || state == .held || restsUntil != nil
  }

  /// The body of a file has been handed over whole by the request in flight.
  package var hasSentFile: Bool {
    progress.map { $0.step.isFile && $0.handedOver != nil } ?? false
  }

  /// A pass at that time goes past it, and it is sent by itself later.
  package func rests(at now: Instant) -> Bool {
    restsUntil.map { now < $0 } ?? false
  }

  // MARK: Attempts

  package func attempts(of step: StepName) -> Int { attempts[step, default: 0] }

  /// A request for the step has begun.
  package mutating func beginAttempt(at step: StepName) -> BenchReport {
    attempts[step, default: 0] += 1
    isAttempting = true
    return .began(capture: entry.capture, step: step, attempt: attempts(of: step))
  }

  /// The attempt in flight has ended; nil when there is none.
  package mutating func endAttempt(_ outcome: String) -> BenchReport? {
    guard isAttempting, let progress else { return nil }
    isAttempting = false
    let step = progress.step.name
    return .ended(
      capture: entry.capture, step: step, attempt: attempts(of: step), counted: progress.sent,
      outcome: outcome)
  }

  // MARK: What becomes of a step

  package mutating func landed(_ step: PlannedStep) {
    entry.done.append(step.name)
    entry.refusedBodies = nil
    failure = nil
    notBefore = nil
    restsUntil = nil
  }

  /// No further try is made by itself; `ofFile` when it is for the file itself.
  package mutating func parked(_ reason: String, ofFile: Bool, as parking: Parking) {
    entry.refused = reason
    entry.parking = parking == .refused ? nil : parking
    entry.refusedFile = ofFile ? true : nil
    failure = nil
    progress = nil
  }

  /// Its file needs a faster link.
  package mutating func held(_ step: PlannedStep) {
    entry.held = step.name
    failure = nil
    progress = nil
  }

  /// A whole body was answered by a refusal that may pass.
  package mutating func bodyRefused(_ reason: String, now: Instant) {
    entry.refusedBodies = (entry.refusedBodies ?? 0) + 1
    rest(after: reason, now: now)
  }

  /// Lets it rest from now on for as long as its refused bodies ask for, if they do.
  package mutating func rest(after reason: String?, now: Instant) {
    guard let bodies = entry.refusedBodies, let rest = BackOff.rest(after: bodies) else { return }
    restsUntil = now + rest
    failure =
      (reason.map { "\($0); " } ?? "")
      + "the whole file was refused \(bodies) times, next try after \(rest.text)"
  }

  /// What its line says, with `ahead` entries to be sent before it.
  package func standing(ahead: Int, under policy: UploadPolicy) -> EntryStanding {
    switch state {
    case .held:
      SlowFile(of: entry, under: policy).map(EntryStanding.held)
        ?? .kept(ahead: ahead, failure: failure)
    case .parked:
      .parked(
        entry.refused ?? "", isFile: entry.refusedFile ?? false, as: entry.parking ?? .refused)
    case .done: .done
    case .discarded: .discarded
    case .waiting: .waiting(ahead: ahead, failure: failure)
    case .kept: .kept(ahead: ahead, failure: failure)
    case .sending:
      progress.map(EntryStanding.sending) ?? .waiting(ahead: ahead, failure: failure)
    }
  }
}
