import Captures
import FoundationEssentials
import LinkModel
import Quantities
import Reports
import Scenarios
import ScratchEngine
import ThrottlingProxy
import Uploads

/// All that is known of one variant after its run, from which its record is made; the same in
/// either world.
struct VariantEvidence {
  var scenario: Scenario
  var variant: Variant
  var captures: CaptureSet
  var watch: VariantWatch
  /// What the engine saw.
  var ledger: Ledger
  /// What the link counted, once every connection had ended.
  var link: LinkProxy.Reading
  var outcome: VariantRecord.Outcome
  /// In words; nil unless the client ended by itself.
  var clientEnd: String?
  var endedAt: Instant
  /// The moments of the entries that the client still holds; nil when its outbox cannot be read.
  var keptMoments: [String]?
  /// Nil of the built-in client.
  var processes: ProcessTally?
  /// Lines of it in which no figures were looked for, as its patterns were too hard.
  var linesUnread = 0
  /// Link seconds in a second of the machine's; 1 where no machine takes part.
  var factor: Double
  /// Nil where timers are never late.
  var lateness: RunRecord.Lateness?

  func record() -> VariantRecord {
    let account = account
    return record(fileRecords(account), account)
  }

  /// The record, and the ledger as it is written down.
  func written() -> (record: VariantRecord, ledger: RunLedger) {
    let account = account
    let files = fileRecords(account)
    return (record(files, account), runLedger(files, account))
  }

  private func record(_ files: [FileRecord], _ account: ForeignAccount?) -> VariantRecord {
    let split = ledger.split
    let honesty = HonestyReport(watch.lines.shown, truth: truth(account))
    var statusLines = watch.statusLines.record(interest: interest(files, account))
    honesty.judge(&statusLines)
    var timeline = watch.sampler.timeline
    honesty.enter(in: &timeline)
    return VariantRecord(
      name: variant.name, outcome: outcome, clientEnd: clientEnd,
      finishedAt: files.allSatisfy(\.landed) ? files.compactMap(\.landedAt).max() : nil,
      horizon: scenario.horizon.inSeconds, files: files,
      wire: WireRecord(
        up: ledger.received, down: ledger.sent, useful: split.useful, repeated: split.repeated,
        abandoned: split.abandoned, overhead: split.overhead),
      statusLines: statusLines, honesty: honesty.record,
      exactlyOnce: ExactlyOnceRecord(
        moments: ledger.momentsStored, duplicates: ledger.duplicates,
        lost: lost(files)),
      parked: told(watch.diary.parked), held: told(watch.diary.held),
      discarded: told(watch.diary.discarded),
      notSaved: told(
        watch.diary.notSaved.map { NotSavedRecord(capture: $0.capture, reason: $0.reason) }),
      process: account.flatMap { account in
        processes?.record(until: endedAt, unassigned: account.unassigned)
      },
      requests: ledger.requests.indices.map { requestRecord($0, account) },
      timeline: Timeline(timeline).thinned().points, instrument: instrument)
  }

  private func runLedger(_ files: [FileRecord], _ account: ForeignAccount?) -> RunLedger {
    RunLedger(
      variant: variant.name, ledger: ledger, endedAt: endedAt,
      captures: ledger.requests.indices.map { capture(of: $0, account) }, lost: lost(files))
  }

  /// Nil when the client tells itself what it does.
  private var account: ForeignAccount? {
    processes.map {
      ForeignAccount(
        ledger, captures: captures, lives: $0.lives, link: scenario.link, until: endedAt)
    }
  }

  /// What only the built-in client tells.
  private func told<Value>(_ value: Value) -> Value? { processes == nil ? value : nil }

  private func lost(_ files: [FileRecord]) -> Int? {
    told(watch.diary.lost(kept: Set(keptMoments ?? []), whole: whole(files)))
  }

  /// What was left out of the measurement, a sentence each.
  var doubts: [String] {
    var doubts: [String] = []
    if let granted = watch.diary.sendBufferGranted {
      doubts.append(
        "the system gave the client's sockets a send buffer of \(ByteCount(granted)) instead of"
          + " \(ByteCount(variant.policy?.sendBuffer ?? 0)) (sysctl net.core.wmem_max)")
    }
    if watch.statusLines.isFull {
      doubts.append("the client printed more lines than are kept, so that something is not counted")
    }
    if processes?.isCut == true {
      doubts.append(
        "the client printed more than \(ByteCount(ForeignProcess.outputMax)), and lines beyond are"
          + " not counted")
    }
    if linesUnread > 0 {
      doubts.append(
        "a search for figures in its lines tried more than can be waited for, and was given up in"
          + " \(counted(linesUnread, "line")); write patterns that fit in fewer ways")
    }
    if keptMoments == nil {
      doubts.append("the client's outbox cannot be read, so that something is not counted")
    }
    return doubts.map { "\(variant.name): \($0)." }
      + hiddenAttempts.map { "\(variant.name): \($0), so that something sends by itself." }
  }

  /// Files that were attempted more often than the client says, a sentence each.
  ///
  /// What had not ended may still be on its way into the client's log, and a client that was killed
  /// had no time to tell of its last attempt.
  var hiddenAttempts: [String] {
    guard processes == nil else { return [] }
    let untold = scenario.acts.count { $0.deed == .kill || $0.deed == .powerLoss }
    let seen = ledger.requests.filter { $0.endedAt.map { $0 <= endedAt } ?? false }
    return captures.captures.flatMap { truth in
      sent(of: truth).compactMap { step, _ -> String? in
        let key = ClientDiary.StepKey(capture: truth.name, step: step)
        let attempts = seen.count {
          watch.diary.knows($0.step, $0.moment, $0.upload?.name, as: key)
        }
        let begun = watch.diary.begun[key] ?? 0
        guard attempts > begun + untold else { return nil }
        return "the engine saw \(attempts) attempts at \(truth.name) \(step), and the client "
          + "reported \(begun)"
      }
    }
  }

  /// The moments that the records among files name, each read whole.
  static func moments(ofRecords names: [String], read: (String) -> [UInt8]?) -> [String] {
    struct Record: Decodable {
      var moment: String
    }
    return names.filter { $0.hasSuffix(".json") }.compactMap { name in
      read(name).flatMap { try? JSONDecoder().decode(Record.self, from: Data($0)).moment }
    }
  }

  /// Captures of which the client has had every receipt.
  private func whole(_ files: [FileRecord]) -> Set<String> {
    let whole = captures.captures.filter { truth in
      let first = truth.photos == nil ? StepName.record : .encounter
      return watch.diary.landedAt[.init(capture: truth.name, step: first)] != nil
        && files.allSatisfy { $0.capture != truth.name || $0.landed }
    }
    return Set(whole.map(\.name))
  }

  /// The capture that the request in that place of the ledger was about; nil when it is not known.
  func capture(of place: Int, _ account: ForeignAccount?) -> String? {
    if let account { return account.files[place].first?.capture }
    let request = ledger.requests[place]
    return (request.moment ?? request.upload?.name).flatMap(watch.diary.capture)
  }

  /// The step that it was, with the number of a plate's photo.
  func step(of place: Int, _ account: ForeignAccount?) -> StepName? {
    if let file = account?.files[place].first { return file.step }
    let request = ledger.requests[place]
    return request.upload.flatMap { watch.diary.staged(named: $0.name) }
      ?? request.step.map { StepName($0) }
  }

  /// The files of a capture that this client sends.
  func sent(of truth: CaptureTruth) -> [(step: StepName, file: CaptureFile)] {
    truth.files.filter { variant.client.sends($0.step) }
  }

  private func fileRecords(_ account: ForeignAccount?) -> [FileRecord] {
    if let account { return account.records(of: captures, ledger, sends: variant.client.sends) }
    let seen = ledger.files
    let diary = watch.diary
    return captures.captures.flatMap { truth in
      sent(of: truth).map { step, file in
        let key = ClientDiary.StepKey(capture: truth.name, step: step)
        let own = seen.filter { diary.knows($0.step, $0.moment, $0.upload, as: key) }
        // The client's word for a receipt is good for what the engine has stored.
        let isStored = own.contains { $0.storedAt != nil }
        let landedAt = isStored ? diary.landedAt[key] : nil
        return FileRecord(
          capture: truth.name, step: step.step.rawValue, photo: step.photo, bytes: file.bytes,
          attempts: own.reduce(0) { $0 + $1.attempts },
          wireBytes: own.reduce(0) { $0 + $1.wireBytes }, landed: landedAt != nil,
          landedAt: landedAt?.seconds, replays: own.reduce(0) { $0 + $1.replays },
          sha256Matches: own.lazy.compactMap(\.sha256).first.map { $0 == file.sha256 })
      }
    }
  }

  /// What ended a request after the run, the bench's own stop among it, is not told.
  private func requestRecord(_ place: Int, _ account: ForeignAccount?) -> RequestRecord {
    let request = ledger.requests[place]
    let ended = request.endedAt.flatMap { $0 <= endedAt ? $0 : nil }
    let step = step(of: place, account)
    return RequestRecord(
      at: request.startedAt.seconds, method: request.method, path: request.path,
      capture: capture(of: place, account),
      step: (request.step ?? step?.step)?.rawValue, photo: step?.photo,
      attempt: request.attempt ?? 1,
      status: ended.flatMap { _ in request.status },
      bodyBytes: request.bodyBytes,
      seconds: ((ended ?? endedAt) - request.startedAt).inSeconds,
      end: (ended == nil ? LedgerRequest.End.open : request.end).rawValue,
      endedBy: ended.flatMap { _ in request.endedBy?.rawValue }, phase: request.phase.rawValue)
  }

  /// While a capture is saved and not settled, its user waits for news.
  private func interest(_ files: [FileRecord], _ account: ForeignAccount?)
    -> [StatusLineLog.Interest]
  {
    scenario.captures.compactMap { capture in
      if account != nil {
        let landed = files.filter { $0.capture == capture.plan.name }.map(\.landedAt)
        let isDone = landed.allSatisfy { $0 != nil }
        return .init(
          from: .zero,
          to: isDone ? landed.compactMap { $0.map(Instant.init(seconds:)) }.max() ?? .zero : endedAt
        )
      }
      return watch.diary.savedAt[capture.plan.name].map {
        .init(from: $0, to: watch.diary.settledAt[capture.plan.name] ?? endedAt)
      }
    }
  }

  private var instrument: InstrumentRecord {
    InstrumentRecord(
      lateness: lateness, clientLateness: watch.diary.lateness?.inSeconds, upRate: link.upRate,
      downRate: link.downRate, upAsked: scenario.link.up.changes ? link.upAsked : nil,
      downAsked: scenario.link.down.changes ? link.downAsked : nil, upPeriods: link.upPeriods,
      downPeriods: link.downPeriods,
      buffers: watch.sampler.buffers, takenIn: link.up.takenIn,
      carried: link.up.carried, discarded: link.up.discarded, queued: link.up.queued,
      engineReceived: ledger.received, retransmissions: link.retransmissions,
      zeroWindowProbes: link.zeroWindowProbes)
  }

  /// How far it has come.
  func progress(run: Int, of runs: Int) -> RunProgress {
    RunProgress(
      scenario: Baseline.scenarioName(of: scenario.file), variant: variant.name, run: run,
      runs: runs, now: endedAt, horizon: scenario.horizon, carried: ByteCount(link.up.carried),
      attempts: ledger.fileAttempts,
      landed: account.map { $0.landedAt.count { variant.client.sends($0.key.step) } }
        ?? watch.diary.landedAt.count { $0.key.step.step.sendsFile },
      files: captures.captures.reduce(0) { $0 + sent(of: $1).count }, statusLine: watch.newestLine)
  }
}
