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
  /// Link seconds in a second of the machine's; 1 where no machine takes part.
  var factor: Double
  /// Nil where timers are never late.
  var lateness: RunRecord.Lateness?

  func record() -> VariantRecord {
    let files = fileRecords
    let split = ledger.split
    let honesty = HonestyReport(watch.lines.shown, truth: truth)
    var statusLines = watch.statusLines.record(interest: interest)
    honesty.judge(&statusLines)
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
        lost: lost),
      parked: watch.diary.parked, held: watch.diary.held, discarded: watch.diary.discarded,
      notSaved: watch.diary.notSaved.map { NotSavedRecord(capture: $0.capture, reason: $0.reason) },
      requests: ledger.requests.map(requestRecord),
      timeline: Timeline(watch.sampler.timeline).thinned().points, instrument: instrument)
  }

  /// The ledger as it is written down.
  var runLedger: RunLedger {
    var captures: [String: String] = [:]
    for id in ledger.requests.compactMap({ $0.moment ?? $0.upload?.name })
    where captures[id] == nil {
      captures[id] = watch.diary.capture(named: id)
    }
    return RunLedger(
      variant: variant.name, ledger: ledger, endedAt: endedAt, captures: captures, lost: lost)
  }

  private var lost: Int { watch.diary.lost(kept: Set(keptMoments ?? []), whole: whole) }

  /// What was left out of the measurement, a sentence each.
  var doubts: [String] {
    var doubts: [String] = []
    if let granted = watch.diary.sendBufferGranted {
      doubts.append(
        "the system gave the client's sockets a send buffer of \(ByteCount(granted)) instead of"
          + " \(ByteCount(variant.policy.sendBuffer)) (sysctl net.core.wmem_max)")
    }
    if watch.statusLines.isFull {
      doubts.append("the client printed more lines than are kept, so that something is not counted")
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
  private var whole: Set<String> {
    let diary = watch.diary
    let whole = captures.captures.filter { truth in
      let steps = sent(of: truth).map(\.step) + [truth.photos == nil ? .record : .encounter]
      return steps.allSatisfy { diary.landedAt[.init(capture: truth.name, step: $0)] != nil }
    }
    return Set(whole.map(\.name))
  }

  func capture(of request: LedgerRequest) -> String? {
    (request.moment ?? request.upload?.name).flatMap(watch.diary.capture)
  }

  /// The files of a capture that this client sends.
  func sent(of truth: CaptureTruth) -> [(step: StepName, file: CaptureFile)] {
    truth.files.filter { variant.policy.client.sends($0.step) }
  }

  private var fileRecords: [FileRecord] {
    let seen = ledger.files
    let diary = watch.diary
    return captures.captures.flatMap { truth in
      sent(of: truth).map { step, file in
        let key = ClientDiary.StepKey(capture: truth.name, step: step)
        let own = seen.filter { diary.knows($0.step, $0.moment, $0.upload, as: key) }
        return FileRecord(
          capture: truth.name, step: step.step.rawValue, photo: step.photo, bytes: file.bytes,
          attempts: own.reduce(0) { $0 + $1.attempts },
          wireBytes: own.reduce(0) { $0 + $1.wireBytes }, landed: diary.landedAt[key] != nil,
          landedAt: diary.landedAt[key]?.seconds, replays: own.reduce(0) { $0 + $1.replays },
          sha256Matches: own.lazy.compactMap(\.sha256).first.map { $0 == file.sha256 })
      }
    }
  }

  /// What ended a request after the run, the bench's own stop among it, is not told.
  private func requestRecord(_ request: LedgerRequest) -> RequestRecord {
    let ended = request.endedAt.flatMap { $0 <= endedAt ? $0 : nil }
    return RequestRecord(
      at: request.startedAt.seconds, method: request.method, path: request.path,
      capture: capture(of: request), step: request.step?.rawValue,
      attempt: request.attempt ?? 1,
      status: ended.flatMap { _ in request.status },
      bodyBytes: request.bodyBytes,
      seconds: ((ended ?? endedAt) - request.startedAt).inSeconds,
      end: (ended == nil ? LedgerRequest.End.open : request.end).rawValue,
      endedBy: ended.flatMap { _ in request.endedBy?.rawValue }, phase: request.phase.rawValue)
  }

  /// While a capture is saved and not settled, its user waits for news.
  private var interest: [StatusLineLog.Interest] {
    scenario.captures.compactMap { capture in
      watch.diary.savedAt[capture.plan.name].map {
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
  func progress(run: Int, of runs: Int, isOver: Bool) -> RunProgress {
    RunProgress(
      scenario: scenario.name, variant: variant.name, run: run, runs: runs, now: endedAt,
      horizon: scenario.horizon, carried: ByteCount(link.up.carried),
      attempts: ledger.fileAttempts,
      landed: watch.diary.landedAt.count { $0.key.step.step.sendsFile },
      files: captures.captures.reduce(0) { $0 + sent(of: $1).count }, statusLine: watch.newestLine,
      isOver: isOver)
  }
}
