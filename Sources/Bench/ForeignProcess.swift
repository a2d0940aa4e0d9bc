import EventLoop
import Glibc
import Quantities

/// One start of a command: its process, all that this starts in turn, and what they print.
final class ForeignProcess {
  // Seconds of the monotonic clock: what they wait for does not run faster when time does.

  /// What was started by a process that has ended may print for so long, and is ended then.
  static let lastOutputSeconds = 0.5
  /// From the request to end (SIGTERM) to the end without one (SIGKILL).
  static let graceSeconds = 1.0
  /// What is printed and not ended by a line end counts as shown after so long.
  static let standingSeconds = 0.05
  /// From one look at its memory to the next.
  private static let lookSeconds = 0.1
  /// Bytes of its output that are read for lines: a line of 80 four times a second for three hours.
  static let outputMax = 4_000_000

  private let loop: EventLoop
  private let factor: Double
  private let family: ProcessFamily
  private var outputs: [LinePipe] = []
  private var process: ChildProcess?
  private var isOver = false
  private let ended: (ForeignProcess, ChildProcess.Ending) -> Void
  /// When its first process ended.
  private(set) var endedAt = Instant.zero
  /// As it was last seen; nil before the first look.
  private(set) var memoryPeak: Int?

  /// Its first process has not ended.
  var isRunning: Bool { process?.ending == nil }
  var usage: ChildProcess.Usage? { process?.usage }
  var isCut: Bool { outputs.contains(where: \.isCut) }

  /// Executes it.
  ///
  /// `ended` comes once, when nothing of it is left.
  init(
    _ launch: ForeignLaunch, factor: Double, loop: EventLoop, shown: @escaping ([String]) -> Void,
    ended: @escaping (ForeignProcess, ChildProcess.Ending) -> Void
  ) throws(SystemFailure) {
    self.loop = loop
    self.factor = factor
    self.ended = ended
    family = ProcessFamily(mark: launch.mark)
    var start = launch.launch
    var ends: [Descriptor] = []
    var held: [Descriptor] = []
    if launch.hasTerminal {
      let terminal = try PseudoTerminal()
      start.terminal = terminal.name
      ends = [terminal.controller]
      // Its settings last as long as somebody has it open.
      held = [terminal.terminal]
    } else {
      let (output, errors) = (try Pipe(), try Pipe())
      start.descriptors = [(STDOUT_FILENO, output.input), (STDERR_FILENO, errors.input)]
      ends = [output.output, errors.output]
    }
    let screen = LinePipe.Screen(
      standing: .seconds(exactly: Self.standingSeconds * factor), bytesMax: Self.outputMax)
    for end in ends {
      let pipe = LinePipe(end, loop: loop, screen: screen)
      try pipe.start(shown)
      outputs.append(pipe)
    }
    process = try ChildProcess(start, loop: loop) { [weak self] in self?.firstEnded($0) }
    family.leader = process?.pid
    withExtendedLifetime(held) {}
    after(Self.lookSeconds) { $0.look() }
  }

  deinit {
    if !isOver { family.kill() }
  }

  /// Asks all of it to end, and ends what does not.
  func stop() {
    family.terminate()
    after(Self.graceSeconds) { $0.kill() }
  }

  /// Ends all of it at once.
  func kill() {
    family.kill()
  }

  /// Nothing of what it prints is read any more.
  func close() {
    for output in outputs { output.close() }
  }

  private func look() {
    guard process?.ending == nil else { return }
    memoryPeak = process?.memoryPeak ?? memoryPeak
    after(Self.lookSeconds) { $0.look() }
  }

  private func firstEnded(_ ending: ChildProcess.Ending) {
    endedAt = max(loop.now, .zero)
    for output in outputs { output.drain() }
    let limit = loop.now + .seconds(exactly: Self.lastOutputSeconds * factor)
    finish(ending, at: limit)
  }

  /// Waits for the end of its output, which others may hold open, until the limit.
  private func finish(_ ending: ChildProcess.Ending, at limit: Instant) {
    guard outputs.allSatisfy(\.hasEnded) || loop.now >= limit else {
      after(0.005) { $0.finish(ending, at: limit) }
      return
    }
    family.kill()
    close()
    isOver = true
    ended(self, ending)
  }

  private func after(_ seconds: Double, _ action: @escaping (ForeignProcess) -> Void) {
    loop.schedule(at: loop.now + .seconds(exactly: seconds * factor)) { [weak self] in
      guard let self, !isOver else { return }
      action(self)
    }
  }
}
