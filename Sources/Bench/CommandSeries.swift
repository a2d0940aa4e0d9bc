import EventLoop
import Quantities
import Scenarios

/// The processes of a command in one run: link time 0 is when the first is executed.
final class CommandSeries: ClientSeries {
  private let run: ClientStart
  private let launch: ForeignLaunch
  private var process: ForeignProcess?
  private var collected = ProcessTally()
  /// The one that runs is being ended by the run or an act, not by itself.
  private var isBeingEnded = false

  /// Throws when there is no such program, which is asked for earlier too.
  init(_ client: ForeignClient, _ run: ClientStart) throws {
    self.run = run
    launch = try ForeignLaunch(client, run)
  }

  let isReady = true
  var isRunning: Bool { process != nil }
  var tally: ProcessTally? { collected }

  func scale(factor: Double) -> TimeScale { .starting(factor: factor) }

  func start() {
    if let before = process {
      // Its end is still on its way.
      before.kill()
      before.close()
      collected.ended(nil, before, at: run.loop.now)
      // It ends all that has the mark of the run, as the next one will.
      process = nil
    }
    isBeingEnded = false
    collected.started(at: max(run.loop.now, .zero))
    do {
      process = try ForeignProcess(
        launch, factor: run.setup.factor, loop: run.loop,
        shown: { [unowned self] in run.happened(.shown($0)) },
        ended: { [unowned self] in ended($0, $1) })
    } catch {
      run.happened(.broken(ForeignProgram.words(for: error)))
    }
  }

  func plan() {}

  func due(_ act: Act) -> Instant { act.at }

  func perform(_ deed: Act.Deed) {
    guard deed == .kill else { preconditionFailure("a command is killed and started only") }
    kill()
  }

  func stop() {
    isBeingEnded = isBeingEnded || process?.isRunning == true
    process?.stop()
  }

  func kill() {
    isBeingEnded = isBeingEnded || process?.isRunning == true
    process?.kill()
  }

  /// All of it is gone.
  private func ended(_ ended: ForeignProcess, _ ending: ChildProcess.Ending) {
    guard ended === process else { return }
    collected.ended(isBeingEnded ? nil : ending, ended, at: ended.endedAt)
    process = nil
    run.happened(.exited)
  }
}
