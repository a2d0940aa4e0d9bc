import Captures
import LinkModel
import Quantities
import Reports
import Scenarios
import ScratchEngine
import Testing
import Uploads

@testable import Bench

/// One capture on a slow link, and every place at which its first connection can be cut.
struct CutMatrix: Sendable {
  enum Subject: String, CaseIterable, Sendable {
    case photo, document

    var steps: [UploadStep] {
      switch self {
      case .photo: [.record, .copy, .turn, .original, .readback]
      case .document: [.record, .document, .text, .readback]
      }
    }

    fileprivate var yaml: String {
      switch self {
      case .photo: "photo: { original: 40 KB, copy: 20 KB }"
      case .document: "document: 30 KB"
      }
    }
  }

  /// A cut of one step's request, or of its answer.
  struct Cut: Sendable, CustomStringConvertible {
    var step: UploadStep
    var side: LinkSide
    var percent: Int
    var way: ConnectionCut
    /// Of all that crosses on that side of the connection.
    var bytes: Int

    var description: String { "\(step) \(side) at \(percent) % as \(way)" }
  }

  /// What came of a cut.
  struct Outcome: Sendable {
    /// What must not be.
    var faults: [String]
    /// Body bytes of files beyond one of each.
    var surplus: Int
  }

  /// A client, by its settings, or an engine, by its script, that is wrong on purpose: what the cuts
  /// have to find.
  enum Mistake: String, CaseIterable, Sendable {
    case noIdleLimit, noComingBack, impatient, noDoneSet, idsMintedPerTry
    case replayRefused, replayNotAnswered
  }

  /// Bytes of the buffer, and in link time the limits of the client: short, so that the runs are.
  private static let buffer = 32_000
  private static let idle = Duration.seconds(12)
  private static let pause = Duration.seconds(2)

  let subject: Subject
  private let scenario: Scenario
  let captures: CaptureSet
  private let disk: DiskImage
  /// Without a cut.
  let whole: VariantRecord
  let cuts: [Cut]

  /// `folder` has the captures of ``makeCaptures(of:in:)``.
  ///
  /// Without the mistake it is known where to cut, and what is the least.
  init(
    _ subject: Subject, policy: String, mistake: Mistake? = nil,
    _ captures: CaptureSet, in folder: String
  ) throws {
    self.subject = subject
    self.captures = captures
    let plain = try Self.scenario(subject, policy: policy, nil)
    scenario = try mistake.map { try Self.scenario(subject, policy: policy, $0) } ?? plain
    var disk = DiskImage()
    for name in try Scratch.names(ofFilesIn: folder) {
      try disk.put(
        "\(VirtualWorld.capturesFolder)/\(name)", try Scratch.bytes(of: "\(folder)/\(name)"))
    }
    self.disk = disk
    let evidence = try Self.evidence(plain, captures, SimulatedDisk(disk))
    whole = evidence.record()
    cuts = try Self.cuts(of: subject, evidence)
  }

  static func makeCaptures(of subject: Subject, in folder: String) throws -> CaptureSet {
    let scenario = try scenario(subject, policy: "after", nil)
    return try CaptureFolder(path: folder).write(
      scenario.captures.map(\.plan), seed: scenario.seed)
  }

  private static func scenario(
    _ subject: Subject, policy: String, _ mistake: Mistake?
  ) throws -> Scenario {
    let script =
      switch mistake {
      case .replayRefused: "script: [{ when: { attempt: 2 }, then: { answer: 409 } }]"
      case .replayNotAnswered:
        "script: [{ when: { attempt: 2 }, then: { at: stored, close: silence } }, "
          + "{ when: { attempt: 3 }, then: { answer: 400 } }]"
      default: ""
      }
    let text = """
      name: Cut
      seed: 7
      horizon: 200 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 300 ms, buffer: \(buffer) B }
      captures: [{ \(subject.yaml), at: 0 s }]
      engine: { turn: { takes: 1 s } \(script.isEmpty ? "" : ", \(script)") }
      variants: { only: { client: outbox, policy: \(policy) } }
      """
    var scenario = try ScenarioDecoder(digest: { sha256(of: $0) })
      .decode(Array(text.utf8), file: "cut.yaml").get()
    scenario.variants[0].policy?.idle = .fixed(idle)
    scenario.variants[0].policy?.syncPause = pause
    switch mistake {
    case .noIdleLimit:
      scenario.variants[0].policy?.idle = .fixed(.seconds(10_000))
      scenario.variants[0].policy?.ceiling = .seconds(10_000)
    case .noComingBack: scenario.variants[0].policy?.syncPause = .seconds(10_000)
    case .noDoneSet: scenario.variants[0].policy?.doneSet = false
    case .idsMintedPerTry: scenario.variants[0].policy?.stableIDs = false
    case .impatient: scenario.variants[0].policy?.idle = .fixed(.milliseconds(500))
    case .replayRefused, .replayNotAnswered, nil: break
    }
    return scenario
  }

  /// The cuts at each percent of each request and answer, by what crossed for them.
  private static func cuts(of subject: Subject, _ evidence: VariantEvidence) throws -> [Cut] {
    let requests = evidence.ledger.requests
    try #require(requests.map(\.step) == subject.steps)
    var cuts: [Cut] = []
    var (up, down) = (0, 0)
    for (step, request) in zip(subject.steps, requests) {
      // Once it is answered, all of it has crossed; the next begins a latency later.
      let answered = try #require(request.endedAt).seconds
      let point = evidence.watch.sampler.timeline.first { $0.at >= answered }
      let end = (up: try #require(point).carried, down: down + request.sent)
      for percent in 0...100 {
        // The end of what was before is no cut of this.
        let place = (
          up: max(up + 1, up + (end.up - up) * percent / 100),
          down: max(down + 1, down + (end.down - down) * percent / 100)
        )
        for way in ConnectionCut.allCases {
          for (side, bytes) in [(LinkSide.up, place.up), (.down, place.down)] {
            cuts.append(Cut(step: step, side: side, percent: percent, way: way, bytes: bytes))
          }
        }
      }
      (up, down) = end
    }
    return cuts
  }

  /// The scenario with that cut in it.
  func scenario(with cut: Cut) -> Scenario {
    var scenario = scenario
    scenario.link.faults = [
      ConnectionFault(
        .cut(StreamPlace(cut.side, cut.bytes), as: cut.way), which: ConnectionChoice(number: 1))
    ]
    return scenario
  }

  /// Whether an outbox holds its lock, and what the device keeps of a capture that is done: its
  /// record and its files.
  func isClean(_ names: [String]) -> Bool {
    names.count { $0.hasSuffix(".json.kept") } == 1
      && names.count == 2 + subject.steps.count(where: \.sendsFile)
  }

  /// What came of a cut in the virtual world.
  func outcome(of cut: Cut) throws -> Outcome {
    let disk = SimulatedDisk(disk)
    var outcome = outcome(
      of: cut, try Self.evidence(scenario(with: cut), captures, disk).record())
    let left = disk.paths.filter { $0.hasPrefix("\(VirtualVariantRun.outboxFolder)/") }
    if !isClean(left) {
      outcome.faults.append("\(cut): \(left) are left")
    }
    return outcome
  }

  /// What came of a cut by the record of its run, in either world.
  func outcome(of cut: Cut, _ record: VariantRecord) -> Outcome {
    var faults: [String] = []
    func hold(_ isTrue: Bool, _ fault: String) {
      if !isTrue { faults.append("\(cut): \(fault)") }
    }
    let surplus = record.files.reduce(0) { $0 + $1.wireBytes - $1.bytes }
    let size = record.files.first { $0.step == cut.step.rawValue }?.bytes ?? 0
    hold(record.outcome == .finished, "not finished")
    hold(record.parked == 0, "parked")
    hold(record.files.allSatisfy(\.landed), "not landed")
    hold(record.files.allSatisfy { $0.sha256Matches == true }, "other bytes")
    hold(record.exactlyOnce == ExactlyOnceRecord(moments: 1), "\(record.exactlyOnce)")
    // No more than one attempt of what was cut, and no other file again.
    hold((0...size).contains(surplus), "\(surplus) bytes more")
    // And what was thrown away behind the cut is at most what waited for it.
    let request = size + Self.headMax
    hold(
      record.instrument.carried <= whole.instrument.carried + request + Self.buffer,
      "\(record.instrument.carried) bytes carried instead of \(whole.instrument.carried)")
    return Outcome(faults: faults, surplus: surplus)
  }

  /// Bytes that a small call or a head has at most.
  private static let headMax = 2_000

  private static func evidence(
    _ scenario: Scenario, _ captures: CaptureSet, _ disk: SimulatedDisk
  ) throws -> VariantEvidence {
    try VirtualVariantRun(
      .init(scenario: scenario, variant: scenario.variants[0], captures: captures, disk: disk),
      isInterrupted: { false }, progress: { _ in }
    ).run()
  }
}
