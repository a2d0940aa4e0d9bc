import Captures
import EngineServer
import EventLoop
import FoundationEssentials
import LinkModel
import Quantities
import Reports
import Scenarios
import ScratchEngine
import ThrottlingProxy
import Uploads

/// One variant of a scenario in the real world: real sockets, a real client process, one clock.
final class VariantRun {
  /// What a variant is run with.
  struct Setup {
    var scenario: Scenario
    var variant: Variant
    var captures: CaptureSet
    var capturesFolder: String
    /// The client's own folder, kept over its restarts.
    var outboxFolder: String
    /// This program, which is the built-in client too.
    var executable: String
    var factor: Double
  }

  enum Phase {
    case starting, running, ending
  }

  // Seconds of the monotonic clock: what they wait for does not run faster when time does.

  /// How long a client may take to start, or to end when it is told to.
  private static let startSecondsMax = 30.0
  private static let endSecondsMax = 5.0
  /// A capture is committed so long before it counts as kept: copying, digesting and syncing are
  /// work of this machine, and do not run faster when time does.
  private static let saveLeadSeconds = 0.1
  /// After the last capture is settled its last line is still on its way.
  private static let lastLineSeconds = 0.05
  /// From one look at what is still running, or connected, at the end to the next.
  private static let quietSeconds = 0.005
  private static let progressSeconds = 0.1

  let setup: Setup
  let loop: EventLoop
  let server: ScratchServer
  let proxy: LinkProxy
  private(set) var phase = Phase.starting
  private var watch: VariantWatch
  private(set) var outcome = VariantRecord.Outcome.horizon
  private var clientEnd: String?
  private(set) var endedAt = Instant.zero
  private var clients: [BuiltInClient] = []
  private var current = 0
  private var ready = 0
  /// The current client is between its kill and the next start.
  private var isKilled = false
  /// What is to be committed, and by which clock, while no client runs.
  private var waiting: [BenchCommand] = []
  private var wallClockAhead = Duration.zero
  /// All is settled, and the last lines are on their way.
  private var isFinishing = false
  private var failure: BenchFailure?
  private var probes = ProbeTally()
  private let link: LinkStory
  private let progress: (VariantRun) -> Void

  init(
    _ setup: Setup, interruption: Interruption, progress: @escaping (VariantRun) -> Void
  ) throws(SystemFailure) {
    self.setup = setup
    self.progress = progress
    watch = VariantWatch(
      setup.scenario, setup.variant, grace: VariantEvidence.grace(factor: setup.factor))
    link = LinkStory(setup.scenario)
    loop = try EventLoop(scale: .starting(factor: setup.factor))
    let anyPort = SocketAddress(port: 0)
    let random = SeededRandom(seed: setup.scenario.seed)
    server = try ScratchServer(
      script: setup.scenario.engine, listen: anyPort, random: random, loop: loop)
    proxy = try LinkProxy(
      setup.scenario.link, listen: anyPort, to: server.address, loop: loop, random: random)
    try interruption.watch(on: loop) { [unowned self] in end(.interrupted) }
  }

  private var lead: Duration { .seconds(exactly: Self.saveLeadSeconds * setup.factor) }

  /// All that is known of it by now; what takes time to find out only at the end.
  func evidence(isFinal: Bool) -> VariantEvidence {
    var link = proxy.read()
    link.zeroWindowProbes = max(0, link.zeroWindowProbes - probes.explained)
    return VariantEvidence(
      scenario: setup.scenario, variant: setup.variant, captures: setup.captures, watch: watch,
      ledger: server.ledger, link: link, outcome: outcome, clientEnd: clientEnd,
      endedAt: phase == .running ? max(loop.now, .zero) : endedAt,
      keptMoments: isFinal ? keptMoments : [], factor: setup.factor,
      lateness: isFinal ? .init(loop.lateness, factor: setup.factor) : nil)
  }

  /// The moments of the entries that the client still holds; nil when its folder cannot be read.
  private var keptMoments: [String]? {
    if setup.variant.policy.client == .card { return watch.diary.momentsInMemory }
    let (manager, folder) = (FileManager.default, setup.outboxFolder)
    return (try? manager.contentsOfDirectory(atPath: folder)).map { names in
      VariantEvidence.moments(ofRecords: names) {
        manager.contents(atPath: "\(folder)/\($0)").map { Array($0) }
      }
    }
  }

  /// Runs to its end.
  ///
  /// Throws when the bench cannot do its part.
  func run() throws {
    // Every process that the scenario will start is started now, and waits until it is told to go.
    let starts = setup.scenario.acts.count { $0.deed == .start }
    for generation in 0...starts {
      let client = try BuiltInClient(executable: setup.executable, loop: loop) {
        [unowned self] event in happened(event, generation: generation)
      }
      clients.append(client)
      try client.tell(
        .prepare(
          ClientSetup(
            policy: setup.variant.policy, engine: "http://\(proxy.address)",
            outbox: setup.outboxFolder, captures: setup.capturesFolder,
            seed: setup.scenario.seed &+ UInt64(generation))))
    }
    after(Self.startSecondsMax) { [unowned self] in
      if phase == .starting {
        fail("the client was not ready after \(Int(Self.startSecondsMax)) s")
      }
    }
    try loop.run()
    if let failure { throw failure }
  }

  // MARK: Link time

  private func go() {
    phase = .running
    loop.scale = .starting(inSeconds: Self.saveLeadSeconds, factor: setup.factor)
    startClient()
    for capture in setup.scenario.captures {
      at(capture.at.advanced(by: .zero - lead)) { $0.save(capture) }
    }
    for act in setup.scenario.acts {
      at(due(act)) {
        $0.watch.note(act.deed)
        $0.perform(act.deed)
        $0.endIfOver()
      }
    }
    for change in link.changes.dropFirst() {
      at(change.at) { if !$0.isKilled { $0.tell(.link(change.state)) } }
    }
    at(.zero + setup.scenario.horizon) { $0.end(.horizon) }
    at(.zero) {
      $0.loop.lateness = LatenessLog()
      $0.sample()
    }
    tick()
  }

  /// A jump of the clock comes as long ahead as commits do, so that it keeps its place among them.
  private func due(_ act: Act) -> Instant {
    if case .setClock = act.deed { act.at.advanced(by: .zero - lead) } else { act.at }
  }

  private func at(_ instant: Instant, _ action: @escaping (VariantRun) -> Void) {
    loop.schedule(at: instant) { [unowned self] in if phase == .running { action(self) } }
  }

  /// Calls the action after seconds of the monotonic clock.
  private func after(_ seconds: Double, _ action: @escaping () -> Void) {
    loop.schedule(at: loop.now + .seconds(exactly: seconds * setup.factor), action)
  }

  private func startClient() {
    isKilled = false
    watch.clientStarted(at: max(loop.now, .zero))
    tell(.go(loop.scale))
    tell(.link(link.state(at: loop.now)))
    let commands = waiting
    waiting = []
    for command in commands { tell(command) }
  }

  private func save(_ capture: PlannedCapture) {
    tellInOrder(.save(capture: capture.plan.name, keptAt: capture.at))
  }

  private func tellInOrder(_ command: BenchCommand) {
    if isKilled {
      waiting.append(command)
    } else {
      tell(command)
    }
  }

  private func perform(_ deed: Act.Deed) {
    switch deed {
    case .kill:
      isKilled = true
      // The device's clock does not end with the client.
      waiting = [.wallClock(ahead: wallClockAhead)]
      clients[current].kill()
    case .start:
      current += 1
      startClient()
    case .refresh: tell(.refresh)
    case .sendNow(let capture): tell(.sendNow(capture))
    case .discard(let capture): tell(.discard(capture))
    case .setClock(let jump):
      wallClockAhead += jump
      tellInOrder(.wallClock(ahead: wallClockAhead))
    case .powerLoss, .fillDisk, .freeDisk:
      preconditionFailure("a run with real processes refuses these before it starts")
    }
  }

  private func tell(_ command: BenchCommand) {
    // A client that cannot be told is gone, and its end is on its way as an event.
    try? clients[current].tell(command)
  }

  // MARK: What happens

  private func happened(_ event: BuiltInClient.Event, generation: Int) {
    switch event {
    case .report(let report): take(report)
    case .statusLine(let text): if phase == .running { show(text) }
    case .unreadable(let line): fail("the client reported \"\(line)\", which is no report")
    case .ended(let ending): clientEnded(ending, generation: generation)
    }
  }

  private func take(_ report: BenchReport) {
    if case .ready = report {
      ready += 1
      if ready == clients.count, phase == .starting { go() }
      return
    }
    guard phase == .running else { return }
    watch.take(report, at: loop.now)
    endIfOver()
  }

  private func endIfOver() {
    guard watch.isOver, !isFinishing else { return }
    isFinishing = true
    after(Self.lastLineSeconds) { [unowned self] in end(.finished) }
  }

  private func show(_ text: String) {
    watch.show(text, link: proxy.read(), ledger: server.ledger, at: loop.now)
  }

  private func clientEnded(_ ending: ChildProcess.Ending, generation: Int) {
    switch phase {
    case .starting:
      fail("the client ended \(Self.words(ending)) before it was ready")
    case .running:
      if generation > current {
        fail("the client that waited for its start ended \(Self.words(ending)) before it")
      } else if generation == current, !isKilled {
        clientEnd = Self.words(ending)
        watch.clientEnded()
        end(.clientEnded)
      }
    case .ending: break
    }
  }

  private func sample() {
    guard phase == .running else { return }
    var link = proxy.read()
    // What an engine that does not read leaves in kernels is no part of the declared buffer.
    if server.isHoldingBack { link.isFull = false }
    probes.note(link.zeroWindowProbes, isExplained: server.isHoldingBack)
    watch.sample(link, ledger: server.ledger, at: loop.now)
    loop.schedule(at: loop.now + LinkSampler.interval) { [unowned self] in sample() }
  }

  private func tick() {
    progress(self)
    guard phase == .running else { return }
    after(Self.progressSeconds) { [unowned self] in tick() }
  }

  // MARK: The end

  /// Stops the clock of the run: what is measured is what had happened by now.
  private func end(_ outcome: VariantRecord.Outcome) {
    guard phase != .ending else { return }
    endedAt = phase == .running ? max(loop.now, .zero) : .zero
    if endedAt > .zero { watch.sample(proxy.read(), ledger: server.ledger, at: loop.now) }
    self.outcome = outcome
    phase = .ending
    watch.end()
    proxy.stop()
    progress(self)
    for client in clients {
      try? client.tell(.stop)
    }
    after(Self.endSecondsMax) { [unowned self] in
      for client in clients { client.kill() }
    }
    stopWhenQuiet()
  }

  /// Stops the loop once every client has ended and the engine has read what had arrived.
  private func stopWhenQuiet() {
    if server.connectionCount == 0, clients.allSatisfy({ !$0.isRunning }) {
      loop.stop()
    } else {
      after(Self.quietSeconds) { [unowned self] in stopWhenQuiet() }
    }
  }

  private func fail(_ words: String) {
    failure = failure ?? BenchFailure("\(setup.variant.name): \(words)")
    end(.interrupted)
  }

  private static func words(_ ending: ChildProcess.Ending) -> String {
    switch ending {
    case .exited(let status): "with exit status \(status)"
    case .signalled(let signal): "by signal \(signal)"
    }
  }
}

extension RunRecord.Lateness {
  /// Nil when no timer was set.
  init?(_ log: LatenessLog, factor: Double) {
    guard let p50 = log.percentile(0.5), let p99 = log.percentile(0.99) else { return nil }
    self.init(p50: Double(p50) / 1e9 * factor, p99: Double(p99) / 1e9 * factor)
  }
}
