import Captures
import EngineServer
import EventLoop
import FoundationEssentials
import LinkModel
import Quantities
import ScratchEngine
import TestSupport
import ThrottlingProxy
import Uploads

/// One outbox, from its first capture to its last receipt: a life of the client for each kill, and
/// a last one that nothing ends.
struct KillStory {
  /// The captures of every story, and the program.
  struct Props {
    var executable: String
    var captures: CaptureSet
    var folder: String

    /// Two photos one right after the other, and a document behind them.
    static let plans = [
      CapturePlan(
        name: "photo-1",
        kind: .photo(PhotoPlan(original: .kilobytes(60), copy: .kilobytes(20)))),
      CapturePlan(
        name: "photo-2",
        kind: .photo(PhotoPlan(original: .kilobytes(40), copy: .kilobytes(25)))),
      CapturePlan(name: "paper-1", kind: .document(DocumentPlan(size: .kilobytes(30)))),
    ]

    init(in folder: String) throws {
      executable = try OnebarProcess.executable
      self.folder = folder
      captures = try CaptureFolder(path: folder).write(Self.plans, seed: 7)
    }
  }

  /// What came of it.
  struct Outcome {
    /// Where each kill hit; nil for one at a time of its own.
    var hits: [KillPoint?] = []
    /// Aims behind the one that the client did not come to.
    var missed: [KillAim] = []
    var violations: [Violation] = []
    /// The points that each life came to.
    var seen: [[KillPoint]] = []
    /// How long each life was.
    var seconds: [Double] = []
  }

  /// A fast link, on which a kill finds a body half sent; the other stories have none.
  static let link = LinkConditions(
    up: DirectionConditions(rate: .limited(.kilobytes(2_000)), latency: .milliseconds(2)),
    down: DirectionConditions(rate: .limited(.kilobytes(8_000)), latency: .milliseconds(2)),
    buffer: .kilobytes(32))

  let props: Props
  var hasLink = false
  var mistake: DeliberateMistake?
  /// A life that is longer has lost its way.
  var secondsMax = 30.0

  /// `folder` is an empty one for the outbox.
  func run(_ aims: [KillAim], in folder: String) throws -> Outcome {
    let engine = try StoryEngine(hasLink ? Self.link : nil)
    defer { engine.stop() }
    let look = OutboxLook(folder: folder)
    var outcome = Outcome()
    var saved: Set<String> = []
    var done: Set<String> = []
    var landed: Set<SentStep> = []
    var life = 0
    while true {
      let aim = life < aims.count ? aims[life] : nil
      let kept = look.entries.map(\.capture)
      for capture in saved.subtracting(done).subtracting(kept).sorted() {
        outcome.violations.append(Violation(kind: .lost, detail: capture))
      }
      // The user saves again what the client does not show as kept.
      let missing = Self.Props.plans.map(\.name).filter {
        !saved.contains($0) && !kept.contains($0)
      }
      var watches: [LifeWatch] = []
      var killAt: Double?
      if case .time(let seconds) = aim { killAt = seconds }
      let ending = try ClientLife.live(
        props.executable,
        engine.setup(folder, props.folder, mistake?.policy ?? .after, life: life), saving: missing,
        open: kept, killAt: killAt, within: secondsMax
      ) { reports in
        let watch = LifeWatch(look, reports: reports, aim: aim, mistake: mistake, life: life)
        watches.append(watch)
        return watch
      }
      outcome.seconds.append(ending.seconds)
      saved.formUnion(ending.saved)
      done.formUnion(ending.done)
      for capture in ending.unfinished {
        outcome.violations.append(Violation(kind: .unfinished, detail: capture))
      }
      for watch in watches {
        for head in watch.heads where landed.contains(head) {
          outcome.violations.append(
            Violation(kind: .sentAgain, detail: "\(head.step) of \(head.moment)"))
        }
        landed.formUnion(watch.heads.landed)
        outcome.violations += watch.violations
        outcome.seen.append(watch.seen)
        if ending.wasKilled { outcome.hits.append(watch.killedAt) }
      }
      life += 1
      if !ending.wasKilled {
        outcome.missed += aims.dropFirst(life - 1)
        break
      }
    }
    outcome.violations += look.violations + engine.violations(of: props.captures)
    return outcome
  }
}

/// The engine of a story on a real port, behind a link or not.
struct StoryEngine {
  private struct Parts {
    var server: ScratchServer
    var proxy: LinkProxy?
  }

  struct CannotStart: Error {}

  private let thread: LoopThread<Parts>
  private let port: UInt16

  init(_ link: LinkConditions?) throws {
    thread = try LoopThread { loop in
      let anyPort = SocketAddress(port: 0)
      let server = try ScratchServer(script: EngineScript(), listen: anyPort, loop: loop)
      let proxy = try link.map {
        try LinkProxy($0, listen: anyPort, to: server.address, loop: loop)
      }
      return Parts(server: server, proxy: proxy)
    }
    let port = thread.ask { _, parts in (parts.proxy?.address ?? parts.server.address).port }
    guard let port else { throw CannotStart() }
    self.port = port
  }

  func stop() {
    _ = thread.ask { _, parts in
      parts.proxy?.stop()
      parts.server.stop()
    }
    thread.stop()
  }

  func setup(
    _ outbox: String, _ captures: String, _ policy: UploadPolicy, life: Int
  ) -> ClientSetup {
    var policy = policy
    policy.syncPause = .milliseconds(200)
    return ClientSetup(
      policy: policy, engine: "http://127.0.0.1:\(port)", outbox: outbox, captures: captures,
      seed: 7 + UInt64(life), deviceCopies: 0)
  }

  /// What is not as it should be once everything has landed: each capture is held as one moment,
  /// with its own bytes, and nothing is held beside that.
  func violations(of captures: CaptureSet) -> [Violation] {
    // A killed client's kernel may still deliver.
    _ = eventually { thread.ask { _, parts in parts.server.connectionCount } ?? 0 == 0 }
    guard let ledger = thread.ask({ _, parts in parts.server.ledger }) else {
      return [Violation(kind: .unfinished, detail: "the engine does not answer")]
    }
    var found: [Violation] = []
    let count = captures.captures.count
    if ledger.momentsStored > count || ledger.duplicates > 0 {
      found.append(
        Violation(
          kind: .twice, detail: "\(ledger.momentsStored) moments, \(ledger.duplicates) files twice")
      )
    }
    if ledger.momentsStored < count {
      found.append(Violation(kind: .unfinished, detail: "\(ledger.momentsStored) moments"))
    }
    let stored = ledger.requests.filter(\.stored)
    for capture in captures.captures {
      let files: [(UploadStep, CaptureFile)] = [
        (.copy, capture.copy), (.original, capture.original), (.document, capture.document),
      ].compactMap { step, file in file.map { (step, $0) } }
      let holders = files.map { step, file in
        stored.filter { $0.step == step && $0.sha256 == file.sha256 }.map(\.moment)
      }
      if holders.contains(where: \.isEmpty) {
        found.append(Violation(kind: .unfinished, detail: "\(capture.name) is not whole"))
      } else if Set(holders.joined()).count > 1 {
        found.append(Violation(kind: .twice, detail: "\(capture.name) is in several moments"))
      }
      // The steps that are no files.
      let own: [UploadStep] = capture.document == nil ? [.record, .turn] : [.record, .text]
      for moment in Set(holders.joined().compactMap(\.self)) {
        let steps = stored.filter { $0.moment == moment }.compactMap(\.step)
        for step in own where steps.count(where: { $0 == step }) != 1 {
          found.append(
            Violation(kind: .unfinished, detail: "\(capture.name): \(step) is not held once"))
        }
        if steps.count != own.count + files.count {
          found.append(Violation(kind: .wrongBytes, detail: "\(capture.name): \(steps)"))
        }
      }
    }
    return found
  }
}
