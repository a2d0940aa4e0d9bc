package import Quantities
import Synchronization
import Uploads

/// One thread, one queue of jobs, and a clock that jumps to the next deadline when no job is left.
///
/// Jobs run in the order in which they came, equal deadlines in the order in which they were set,
/// so that nothing that happens here depends on the machine. Deadlines of tasks that sleep and of
/// the simulated parts (a packet that leaves, an answer that is due) are in the one queue.
package final class VirtualTime: TaskExecutor, LinkClock {
  /// Nothing is left to run and no deadline is set, but the work has not ended.
  package struct Stuck: Error, CustomStringConvertible {
    package let description: String
  }

  /// Jobs go on and on, and the clock does not move.
  package struct Livelock: Error, CustomStringConvertible {
    package let description: String
  }

  package typealias Act = @Sendable () -> Void
  package typealias TimerID = DeadlineQueue.ID

  /// Jobs and deadlines at one instant: a capture that is saved makes some hundred.
  package static let stepsMax = 1_000_000

  private struct State {
    var now = Instant.zero
    var jobs: [UnownedJob] = []
    var deadlines = DeadlineQueue()
    /// What is done at each, by its place.
    var acts: [Act?] = []
  }

  private struct Progress {
    /// Since the clock moved.
    var steps = 0
    var jobsRun = 0
    var deadlinesMet = 0
    var batch: [UnownedJob] = []
  }

  private let stepsMax: Int
  private let state = Mutex(State())
  private let progress = Mutex(Progress())

  package init(stepsMax: Int = VirtualTime.stepsMax) {
    self.stepsMax = stepsMax
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  /// Jobs of tasks so far.
  package var jobsRun: Int { progress.withLock { $0.jobsRun } }
  /// Deadlines that came up so far, of sleeping tasks and of simulated parts.
  package var deadlinesMet: Int { progress.withLock { $0.deadlinesMet } }

  /// Starts a task whose jobs, and those of all that it starts, run here.
  package func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: self) { await work() }
  }

  /// Runs jobs and deadlines on the calling thread until the condition holds; it is asked after
  /// each deadline, and whenever no job is left.
  ///
  /// Throws ``Stuck`` when nothing is left to happen before, and ``Livelock`` when more than
  /// ``stepsMax`` jobs ran at one instant.
  package func drive(until isDone: () -> Bool) throws {
    while true {
      try runJobs()
      if isDone() { return }
      guard try fireNext() else {
        throw Stuck(description: "everything waits, at \(now.seconds) s of virtual time")
      }
    }
  }

  /// Runs `work` and everything that it starts to the end.
  ///
  /// Throws what `work` throws, and as ``drive(until:)`` does.
  package func run<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let ended = Mutex<Swift.Result<Result, any Error>?>(nil)
    _ = start {
      do {
        let result = try await work()
        ended.withLock { $0 = .success(result) }
      } catch {
        ended.withLock { $0 = .failure(error) }
      }
    }
    try drive { ended.withLock { $0 != nil } }
    guard let result = ended.withLock({ $0 }) else { preconditionFailure("it has ended") }
    return try result.get()
  }

  private func runJobs() throws {
    var batch = progress.withLock { progress in
      defer { progress.batch = [] }
      return progress.batch
    }
    while true {
      batch.removeAll(keepingCapacity: true)
      state.withLock { swap(&$0.jobs, &batch) }
      if batch.isEmpty { break }
      let count = batch.count
      progress.withLock { $0.jobsRun += count }
      try note(steps: count)
      for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
    progress.withLock { $0.batch = batch }
  }

  /// False when no deadline is set.
  private func fireNext() throws -> Bool {
    let (act, hasMoved) = state.withLock { state -> (Act?, Bool) in
      guard let (deadline, place) = state.deadlines.popDue(at: .distantFuture) else {
        return (nil, false)
      }
      let act = state.acts[place]
      state.acts[place] = nil
      let hasMoved = deadline > state.now
      if hasMoved { state.now = deadline }
      return (act, hasMoved)
    }
    guard let act else { return false }
    progress.withLock { progress in
      if hasMoved { progress.steps = 0 }
      progress.deadlinesMet += 1
    }
    try note(steps: 1)
    act()
    return true
  }

  private func note(steps: Int) throws {
    let sum = progress.withLock { progress in
      progress.steps += steps
      return progress.steps
    }
    if sum > stepsMax {
      throw Livelock(
        description: "more than \(stepsMax) jobs ran at \(now.seconds) s of virtual time, and the"
          + " clock does not move: something wakes itself over and over")
    }
  }

  /// Does something at a deadline, or as the next thing when that has passed.
  @discardableResult
  package func at(_ deadline: Instant, _ act: @escaping Act) -> TimerID {
    state.withLock { state in
      let id = state.deadlines.set(max(deadline, state.now))
      if id.place == state.acts.count { state.acts.append(act) } else { state.acts[id.place] = act }
      return id
    }
  }

  /// Does nothing when it has happened.
  package func cancel(_ id: TimerID) {
    state.withLock { if $0.deadlines.cancel(id) { $0.acts[id.place] = nil } }
  }

  /// Drops every deadline, and so all that would have happened then.
  package func forget() {
    state.withLock { ($0.deadlines, $0.acts) = (DeadlineQueue(), []) }
  }

  // MARK: LinkClock

  package var now: Instant { state.withLock { $0.now } }

  package func sleep(until deadline: Instant) async throws {
    let sleeper = Sleeper()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleeper.begin(continuation)
        if Task.isCancelled {
          sleeper.end(.failure(CancellationError()))
        } else {
          let id = at(deadline) { sleeper.end(.success(())) }
          sleeper.onCancel { self.cancel(id) }
        }
      }
    } onCancel: {
      sleeper.cancel()
    }
  }
}

/// One continuation that is resumed once, by its deadline or by cancellation.
private final class Sleeper: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func begin(_ continuation: CheckedContinuation<Void, any Error>) {
    state.withLock { $0.continuation = continuation }
  }

  func onCancel(_ act: @escaping @Sendable () -> Void) {
    state.withLock { $0.cancel = act }
  }

  func cancel() {
    state.withLock { $0.cancel }?()
    end(.failure(CancellationError()))
  }

  func end(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(with: result)
  }
}
