import Captures
import EventLoop
import Quantities
import Scenarios
import Uploads

/// The processes of the built-in client in one run.
///
/// Every process that the scenario will start is started ahead, and waits until it is told to go:
/// its start-up is no part of link time.
final class BuiltInSeries: ClientSeries {
  /// A capture is committed so long before it counts as kept, in seconds of the monotonic clock:
  /// copying, digesting and syncing are work of this machine, and do not run faster when time does.
  private static let saveLeadSeconds = 0.1

  private let run: ClientStart
  private let link: LinkStory
  private var clients: [BuiltInClient] = []
  /// The process that runs, or ran last; before the first start none.
  private var current = -1
  private var ready = 0
  /// The current client is between its kill and the next start.
  private var isKilled = false
  private var isStopping = false
  /// What is to be committed, and by which clock, while no client runs.
  private var waiting: [BenchCommand] = []
  private var wallClockAhead = Duration.zero

  init(_ policy: UploadPolicy, _ run: ClientStart) throws(SystemFailure) {
    self.run = run
    let (setup, scenario) = (run.setup, run.setup.scenario)
    link = LinkStory(scenario)
    let starts = scenario.acts.count { $0.deed == .start }
    for generation in 0...starts {
      let client = try BuiltInClient(executable: setup.executable, loop: run.loop) {
        [unowned self] event in happened(event, generation: generation)
      }
      clients.append(client)
      try client.tell(
        .prepare(
          ClientSetup(
            policy: policy, engine: run.engine, outbox: setup.clientFolder,
            captures: setup.capturesFolder, seed: scenario.seed &+ UInt64(generation))))
    }
  }

  let isReady = false
  let tally: ProcessTally? = nil

  var isRunning: Bool { clients.contains(where: \.isRunning) }

  func scale(factor: Double) -> TimeScale {
    .starting(inSeconds: Self.saveLeadSeconds, factor: factor)
  }

  private var lead: Duration { .seconds(exactly: Self.saveLeadSeconds * run.setup.factor) }

  func start() {
    current += 1
    isKilled = false
    tell(.go(run.loop.scale))
    tell(.link(link.state(at: run.loop.now)))
    let commands = waiting
    waiting = []
    for command in commands { tell(command) }
  }

  func plan() {
    for capture in run.setup.scenario.captures {
      run.schedule(capture.at.advanced(by: .zero - lead)) { [unowned self] in
        tellInOrder(.save(capture: capture.plan.name, keptAt: capture.at))
      }
    }
    for change in link.changes.dropFirst() {
      run.schedule(change.at) { [unowned self] in
        if !isKilled { tell(.link(change.state)) }
      }
    }
  }

  /// A jump of the clock comes as long ahead as commits do, so that it keeps its place among them.
  func due(_ act: Act) -> Instant {
    if case .setClock = act.deed { act.at.advanced(by: .zero - lead) } else { act.at }
  }

  func perform(_ deed: Act.Deed) {
    switch deed {
    case .kill:
      isKilled = true
      // The device's clock does not end with the client.
      waiting = [.wallClock(ahead: wallClockAhead)]
      clients[current].kill()
    case .refresh: tell(.refresh)
    case .sendNow(let capture): tell(.sendNow(capture))
    case .discard(let capture): tell(.discard(capture))
    case .setClock(let jump):
      wallClockAhead += jump
      tellInOrder(.wallClock(ahead: wallClockAhead))
    case .start: preconditionFailure("the run starts its clients itself")
    case .powerLoss, .fillDisk, .freeDisk:
      preconditionFailure("a run with real processes refuses these before it starts")
    }
  }

  func stop() {
    isStopping = true
    for client in clients { try? client.tell(.stop) }
  }

  func kill() {
    for client in clients { client.kill() }
  }

  private func tellInOrder(_ command: BenchCommand) {
    if isKilled {
      waiting.append(command)
    } else {
      tell(command)
    }
  }

  private func tell(_ command: BenchCommand) {
    // A client that cannot be told is gone, and its end is on its way as an event.
    try? clients[current].tell(command)
  }

  private func happened(_ event: BuiltInClient.Event, generation: Int) {
    switch event {
    case .report(.ready):
      ready += 1
      if ready == clients.count { run.happened(.ready) }
    case .report(let report): run.happened(.report(report))
    case .statusLines(let texts): run.happened(.shown(texts))
    case .unreadable(let line):
      run.happened(.broken("the client reported \"\(line)\", which is no report"))
    case .ended(let ending):
      if isStopping { return }
      if current < 0 {
        run.happened(.broken("the client ended \(ending.words) before it was ready"))
      } else if generation > current {
        run.happened(
          .broken("the client that waited for its start ended \(ending.words) before it"))
      } else if generation == current, !isKilled {
        run.happened(.ended(ending.words))
      }
    }
  }
}
