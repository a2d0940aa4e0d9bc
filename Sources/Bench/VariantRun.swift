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
    var clientFolder: String
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
  /// All is settled, and the last lines are on their way.
  private var isFinishing = false
  private var failure: BenchFailure?
  private var probes = ProbeTally()
  /// Nil until the run begins.
  private var client: (any ClientSeries)?
  /// Nil of a client whose lines are not read for figures.
  private let figures: FigureReader?
  private let progress: (VariantRun) -> Void

  init(
    _ setup: Setup, interruption: Interruption, progress: @escaping (VariantRun) -> Void
  ) throws(SystemFailure) {
    self.setup = setup
    self.progress = progress
    watch = VariantWatch(
      setup.scenario, setup.variant, grace: VariantEvidence.grace(factor: setup.factor))
    let patterns = setup.variant.command?.figures ?? []
    figures = patterns.isEmpty ? nil : FigureReader(patterns)
    loop = try EventLoop(scale: .starting(factor: setup.factor))
    let anyPort = SocketAddress(port: 0)
    let random = SeededRandom(seed: setup.scenario.seed)
    server = try ScratchServer(
      script: setup.scenario.engine, listen: anyPort, random: random, loop: loop)
    proxy = try LinkProxy(
      setup.scenario.link, listen: anyPort, to: server.address, loop: loop, random: random)
    try interruption.watch(on: loop) { [unowned self] in end(.interrupted) }
  }

  /// All that is known of it by now; what takes time to find out only at the end.
  func evidence(isFinal: Bool) -> VariantEvidence {
    var link = proxy.read()
    link.zeroWindowProbes = max(0, link.zeroWindowProbes - probes.explained)
    return VariantEvidence(
      scenario: setup.scenario, variant: setup.variant, captures: setup.captures, watch: watch,
      ledger: server.ledger, link: link, outcome: outcome, clientEnd: clientEnd,
      endedAt: phase == .running ? max(loop.now, .zero) : endedAt,
      keptMoments: isFinal ? keptMoments : [], processes: client?.tally,
      linesUnread: figures?.givenUp ?? 0, factor: setup.factor,
      lateness: isFinal ? .init(loop.lateness, factor: setup.factor) : nil)
  }

  /// The moments of the entries that the client still holds; nil when its folder cannot be read.
  private var keptMoments: [String]? {
    guard let policy = setup.variant.policy else { return [] }
    if policy.client == .card { return watch.diary.momentsInMemory }
    let (manager, folder) = (FileManager.default, setup.clientFolder)
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
    let start = ClientStart(
      setup: setup, engine: "http://\(proxy.address)", loop: loop,
      schedule: { [unowned self] instant, action in at(instant) { _ in action() } },
      happened: { [unowned self] in happened($0) })
    let client: any ClientSeries =
      switch setup.variant.client {
      case .builtIn(let policy): try BuiltInSeries(policy, start)
      case .command(let command): try CommandSeries(command, start)
      }
    self.client = client
    after(Self.startSecondsMax) { [unowned self] in
      if phase == .starting {
        fail("the client was not ready after \(Int(Self.startSecondsMax)) s")
      }
    }
    if client.isReady {
      // On the loop: what fails at once stops it.
      loop.schedule(at: loop.now) { [unowned self] in if phase == .starting { go() } }
    }
    try loop.run()
    if let failure { throw failure }
  }

  // MARK: Link time

  private func go() {
    guard let client else { return }
    phase = .running
    loop.scale = client.scale(factor: setup.factor)
    startClient()
    client.plan()
    for act in setup.scenario.acts {
      at(client.due(act)) {
        $0.watch.note(act.deed)
        if act.deed == .start {
          $0.startClient()
        } else {
          $0.client?.perform(act.deed)
        }
        $0.endIfOver()
      }
    }
    at(.zero + setup.scenario.horizon) { $0.end(.horizon) }
    at(.zero) {
      $0.loop.lateness = LatenessLog()
      $0.sample()
    }
    tick()
  }

  private func startClient() {
    watch.clientStarted(at: max(loop.now, .zero))
    client?.start()
  }

  private func at(_ instant: Instant, _ action: @escaping (VariantRun) -> Void) {
    loop.schedule(at: instant) { [unowned self] in if phase == .running { action(self) } }
  }

  /// Calls the action after seconds of the monotonic clock.
  private func after(_ seconds: Double, _ action: @escaping () -> Void) {
    loop.schedule(at: loop.now + .seconds(exactly: seconds * setup.factor), action)
  }

  // MARK: What happens

  private func happened(_ event: ClientEvent) {
    switch event {
    case .ready: if phase == .starting { go() }
    case .report(let report): take(report)
    case .shown(let texts): if phase == .running { show(texts) }
    case .ended(let words): clientEnded(words)
    case .exited: if phase == .running { endIfOver() }
    case .broken(let words): fail(words)
    }
  }

  private func take(_ report: BenchReport) {
    guard phase == .running else { return }
    watch.take(report, at: loop.now)
    endIfOver()
  }

  private func endIfOver() {
    guard !isFinishing, phase == .running else { return }
    switch setup.variant.client {
    case .builtIn:
      guard watch.isOver else { return }
      isFinishing = true
      after(Self.lastLineSeconds) { [unowned self] in end(.finished) }
    case .command:
      guard client?.isRunning == false, watch.startsToCome == 0 else { return }
      isFinishing = true
      endWhenDrained()
    }
  }

  /// What the kernel of a client that is gone still holds goes on being delivered, and answered.
  private func endWhenDrained() {
    guard phase == .running else { return }
    if proxy.read().connections == 0 {
      end(.finished)
    } else {
      after(Self.quietSeconds) { [unowned self] in endWhenDrained() }
    }
  }

  private func show(_ texts: [String]) {
    watch.show(texts, link: proxy.read(), ledger: server.ledger, at: loop.now) { [figures] in
      figures?.claim(in: $0)
    }
  }

  /// A client that is expected to run ended by itself.
  private func clientEnded(_ words: String) {
    guard phase == .running else { return }
    clientEnd = words
    watch.clientEnded()
    end(.clientEnded)
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
    client?.stop()
    after(Self.endSecondsMax) { [unowned self] in client?.kill() }
    stopWhenQuiet()
  }

  /// Stops the loop once every client has ended and the engine has read what had arrived.
  private func stopWhenQuiet() {
    if server.connectionCount == 0, client?.isRunning != true {
      loop.stop()
    } else {
      after(Self.quietSeconds) { [unowned self] in stopWhenQuiet() }
    }
  }

  private func fail(_ words: String) {
    failure = failure ?? BenchFailure("\(setup.variant.name): \(words)")
    end(.interrupted)
  }
}

extension RunRecord.Lateness {
  /// Nil when no timer was set.
  init?(_ log: LatenessLog, factor: Double) {
    guard let p50 = log.percentile(0.5), let p99 = log.percentile(0.99) else { return nil }
    self.init(p50: Double(p50) / 1e9 * factor, p99: Double(p99) / 1e9 * factor)
  }
}
