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
  /// The moments of the records that the client's outbox still holds; nil when it cannot be read.
  var keptMoments: [String]?
  /// Nil where timers are never late.
  var lateness: RunRecord.Lateness?

  func record() -> VariantRecord {
    let files = fileRecords
    let split = ledger.split
    return VariantRecord(
      name: variant.name, outcome: outcome, clientEnd: clientEnd,
      finishedAt: files.allSatisfy(\.landed) ? files.compactMap(\.landedAt).max() : nil,
      horizon: scenario.horizon.inSeconds, files: files,
      wire: WireRecord(
        up: ledger.received, down: ledger.sent, useful: split.useful, repeated: split.repeated,
        abandoned: split.abandoned, overhead: split.overhead),
      statusLines: watch.statusLines.record(interest: interest),
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
    for moment in ledger.requests.compactMap(\.moment) where captures[moment] == nil {
      captures[moment] = watch.diary.capture(ofMoment: moment)
    }
    return RunLedger(
      variant: variant.name, ledger: ledger, endedAt: endedAt, captures: captures, lost: lost)
  }

  private var lost: Int { watch.diary.lost(kept: Set(keptMoments ?? [])) }

  /// What was left out of the measurement, a sentence each.
  var doubts: [String] {
    var doubts: [String] = []
    if watch.statusLines.isFull { doubts.append("the client printed more lines than are kept") }
    if keptMoments == nil { doubts.append("the client's outbox cannot be read") }
    return doubts.map { "\(variant.name): \($0), so that something is not counted." }
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

  private var fileRecords: [FileRecord] {
    let seen = ledger.files
    let diary = watch.diary
    return captures.captures.flatMap { truth in
      let files: [(UploadStep, CaptureFile?)] = [
        (.copy, truth.copy), (.original, truth.original), (.document, truth.document),
      ]
      return files.compactMap { step, file -> FileRecord? in
        guard let file else { return nil }
        let moments = diary.moments[truth.name] ?? []
        let own = seen.filter { seen in
          seen.step == step && seen.moment.map(moments.contains) == true
        }
        let landedAt = diary.landedAt[.init(capture: truth.name, step: step)]
        return FileRecord(
          capture: truth.name, step: step.rawValue, bytes: file.bytes,
          attempts: own.reduce(0) { $0 + $1.attempts },
          wireBytes: own.reduce(0) { $0 + $1.wireBytes }, landed: landedAt != nil,
          landedAt: landedAt?.seconds, replays: own.reduce(0) { $0 + $1.replays },
          sha256Matches: own.lazy.compactMap(\.sha256).first.map { $0 == file.sha256 })
      }
    }
  }

  /// What ended a request after the run, the bench's own stop among it, is not told.
  private func requestRecord(_ request: LedgerRequest) -> RequestRecord {
    let ended = request.endedAt.flatMap { $0 <= endedAt ? $0 : nil }
    return RequestRecord(
      at: request.startedAt.seconds, method: request.method, path: request.path,
      capture: request.moment.flatMap(watch.diary.capture), step: request.step?.rawValue,
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
    let files = captures.captures.map { [$0.original, $0.copy, $0.document] }
    return RunProgress(
      scenario: scenario.name, variant: variant.name, run: run, runs: runs, now: endedAt,
      horizon: scenario.horizon, carried: ByteCount(link.up.carried),
      attempts: ledger.fileAttempts,
      landed: watch.diary.landedAt.count { $0.key.step.isFileBody },
      files: files.joined().count { $0 != nil }, statusLine: watch.newestLine, isOver: isOver)
  }
}

extension UploadStep {
  /// Whether its request sends a file.
  var isFileBody: Bool {
    switch self {
    case .copy, .original, .document: true
    case .record, .turn, .text, .readback: false
    }
  }
}
