import Captures
import Quantities
import Reports
import Scenarios
import ScratchEngine
import Uploads

/// One variant of a scenario in the virtual world: the client's own code on a simulated link, engine
/// and disk, and time that jumps from one thing that happens to the next.
final class VirtualVariantRun {
  /// What a variant is run with.
  struct Setup {
    var scenario: Scenario
    var variant: Variant
    var captures: CaptureSet
    /// Holds the captures in ``VirtualVariantRun/capturesFolder``.
    var disk: any VirtualDisk
    var parts = VirtualParts()

    fileprivate var policy: UploadPolicy {
      guard let policy = variant.policy else {
        preconditionFailure("a command is refused before its run starts")
      }
      return policy
    }
  }

  private enum NextLine {
    case told(String)
    case keptBack
  }

  /// Where the client finds the captures on its disk, and where it keeps its outbox.
  static let capturesFolder = "/captures"
  static let outboxFolder = "/outbox"
  /// From one look at what waits outside (a wish to stop, a view to draw) to the next.
  private static let lookInterval = Duration.seconds(10)

  let time = VirtualTime()
  private let setup: Setup
  private let network: VirtualNetwork
  private var watch: VariantWatch
  private let link: LinkStory
  private var client: VirtualClient?
  private var generation = 0
  /// No client runs: it was ended by an act, and the next start is still to come.
  private var isDead = false
  private var unsaved: [PlannedCapture] = []
  /// What is shown in the place of the next line that is printed, or that it is kept back.
  private var nextLine: NextLine?
  private var wallClockAhead = Duration.zero
  private var power: SeededRandom
  private var isOver = false
  private var outcome = VariantRecord.Outcome.horizon
  private var clientEnd: String?
  /// As it was when the run ended: what its end does to the engine is no part of it.
  private var final: VariantEvidence?
  private let isInterrupted: () -> Bool
  private let progress: (() -> VariantEvidence) -> Void

  init(
    _ setup: Setup, isInterrupted: @escaping () -> Bool,
    progress: @escaping (() -> VariantEvidence) -> Void
  ) {
    self.setup = setup
    self.isInterrupted = isInterrupted
    self.progress = progress
    let random = SeededRandom(seed: setup.scenario.seed)
    network = VirtualNetwork(
      setup.parts.link(setup.scenario.link),
      engine: setup.parts.engine(setup.scenario.engine, random), random: random, time: time)
    power = SeededRandom(seed: setup.scenario.seed).fork("power")
    watch = VariantWatch(setup.scenario, setup.variant, grace: VariantEvidence.grace(factor: 1))
    link = LinkStory(setup.scenario)
  }

  /// Runs to its end.
  ///
  /// Throws when everything waits for what never comes, or goes on without the clock moving.
  func run() throws -> VariantEvidence {
    startClient()
    // Before the captures of the same instant, so that it can hit their commits.
    for act in setup.scenario.acts where act.deed == .powerLoss {
      at(act.at) { $0.planPowerLoss() }
    }
    for capture in setup.scenario.captures { at(capture.at) { $0.save(capture) } }
    for act in setup.scenario.acts {
      at(act.at) {
        $0.watch.note(act.deed)
        $0.perform(act.deed)
        $0.endIfOver()
      }
    }
    for change in link.changes.dropFirst() {
      at(change.at) { if !$0.isDead { $0.client?.tell(.link(change.state)) } }
    }
    at(.zero + setup.scenario.horizon) { $0.end(.horizon) }
    at(.zero) { $0.sample() }
    at(.zero) { $0.look() }
    try time.drive { isOver }
    // Its tasks end, and nothing that was to happen is held any more.
    client?.kill()
    try time.drive { client?.hasEnded ?? true }
    time.forget()
    guard let final else { preconditionFailure("a run that is over has its evidence") }
    return final
  }

  /// Does something at a link time, while the run lasts.
  private func at(_ instant: Instant, _ act: @escaping (VirtualVariantRun) -> Void) {
    let here = OnVirtualThread { [self] in
      if !isOver { act(self) }
    }
    time.at(instant) { here.part() }
  }

  // MARK: The client

  private func startClient() {
    isDead = false
    watch.clientStarted(at: time.now)
    let here = OnVirtualThread(self)
    let life = generation
    let events = VirtualClient.Events(
      report: { here.part.take($0) }, statusLine: { here.part.show($0) },
      ended: { here.part.clientEnded(life, $0) })
    let client = VirtualClient(
      ClientSetup(
        policy: setup.parts.policy(setup.policy), engine: "", outbox: Self.outboxFolder,
        captures: Self.capturesFolder, seed: setup.scenario.seed &+ UInt64(generation)),
      time: time, network: network, disk: setup.disk, parts: setup.parts, events: events)
    self.client = client
    client.tell(.link(link.state(at: time.now)))
    client.tell(.wallClock(ahead: wallClockAhead))
    let captures = unsaved
    unsaved = []
    for capture in captures { save(capture) }
  }

  private func save(_ capture: PlannedCapture) {
    if isDead {
      unsaved.append(capture)
    } else {
      client?.tell(.save(capture: capture.plan.name, keptAt: capture.at))
    }
  }

  private func perform(_ deed: Act.Deed) {
    switch deed {
    case .kill:
      isDead = true
      client?.kill()
    case .powerLoss: losePower()
    case .start:
      generation += 1
      startClient()
    case .refresh: client?.tell(.refresh)
    case .sendNow(let capture): client?.tell(.sendNow(capture))
    case .discard(let capture): client?.tell(.discard(capture))
    case .fillDisk: setup.disk.setFull(true)
    case .freeDisk: setup.disk.setFull(false)
    case .setClock(let jump):
      wallClockAhead += jump
      client?.tell(.wallClock(ahead: wallClockAhead))
    }
  }

  /// A commit takes no time here, so a loss of power at its instant is given the chance to hit one
  /// of its calls; the act itself, which follows, has nothing more to do then.
  private func planPowerLoss() {
    guard !isDead else { return }
    let here = OnVirtualThread(self)
    setup.disk.planPowerLoss(&power) { here.part.losePower() }
  }

  private func losePower() {
    isDead = true
    network.fallSilent()
    client?.kill()
    setup.disk.losePower(&power)
  }

  private func clientEnded(_ life: Int, _ words: String) {
    guard life == generation, !isDead else { return }
    clientEnd = words
    watch.clientEnded()
    end(.clientEnded)
  }

  // MARK: What is seen

  private func take(_ report: BenchReport) {
    guard !isOver else { return }
    var report = report
    if case .shown(let text, let claim) = report {
      guard let told = setup.parts.telling(text, claim, time.now) else {
        nextLine = .keptBack
        return
      }
      nextLine = .told(told.text)
      report = .shown(told.text, told.claim)
    }
    watch.take(report, at: time.now)
    switch report {
    case .state, .notSaved, .obeyed: endIfOver()
    default: break
    }
  }

  private func endIfOver() {
    // What is left to do at this instant, such as to show the last line, is done first.
    guard watch.isOver else { return }
    at(time.now) { if $0.watch.isOver { $0.end(.finished) } }
  }

  private func show(_ text: String) {
    guard !isOver else { return }
    var text = text
    switch nextLine.take() {
    case .told(let told): text = told
    case .keptBack: return
    case nil: break
    }
    watch.show([text], link: network.read(), ledger: network.ledger, at: time.now)
  }

  private func sample() {
    watch.sample(network.read(), ledger: network.ledger, at: time.now)
    at(time.now + LinkSampler.interval) { $0.sample() }
  }

  private func look() {
    progress { evidence }
    if isInterrupted() {
      end(.interrupted)
    } else {
      at(time.now + Self.lookInterval) { $0.look() }
    }
  }

  private var evidence: VariantEvidence {
    VariantEvidence(
      scenario: setup.scenario, variant: setup.variant, captures: setup.captures, watch: watch,
      ledger: network.ledger, link: network.read(), outcome: outcome, clientEnd: clientEnd,
      endedAt: time.now,
      keptMoments: keptMoments, factor: 1, lateness: nil)
  }

  private var keptMoments: [String]? {
    if setup.policy.client == .card { return watch.diary.momentsInMemory }
    let disk = setup.disk
    return (try? disk.list(Self.outboxFolder)).map { names in
      VariantEvidence.moments(ofRecords: names) { name in
        let path = "\(Self.outboxFolder)/\(name)"
        return (try? disk.size(of: path)).flatMap { try? disk.read(path, from: 0, count: $0) }
      }
    }
  }

  private func end(_ outcome: VariantRecord.Outcome) {
    guard !isOver else { return }
    isOver = true
    self.outcome = outcome
    watch.sample(network.read(), ledger: network.ledger, at: time.now)
    watch.end()
    var evidence = evidence
    // What is still on its way is thrown away with the connections, as a real proxy's is.
    network.stop()
    evidence.link = network.read()
    final = evidence
  }
}
