import Captures
import Scenarios
import Synchronization

/// The variants of scenario runs, side by side on a few threads.
///
/// Each variant has a world of its own, real or virtual, and shares nothing but captures that no one
/// changes. Results come in order, so that one thread and many give the same bytes in virtual time.
package final class VariantRuns {
  /// More threads than any machine that this was tried on has cores.
  package static let threadsMax = 64

  /// How far a variant has come, until its result is taken.
  private struct Entry: Sendable {
    var progress: RunProgress?
    /// It is looked at far less often than it is told.
    var wasSeen = false
  }

  private final class Shared: Sendable {
    /// By the number of the piece: what runs now.
    let running = Mutex<[Int: Entry]>([:])
    let isInterrupted = Atomic(false)
  }

  private let shared: Shared
  private let work: OrderedWork<Result<VariantOutcome, any Error>>

  /// The variants begin at once, in order.
  ///
  /// Throws when the system gives no thread.
  package init(
    _ runs: [ScenarioRun], threads: Int, interruption: Interruption
  ) throws(BenchFailure) {
    let pieces = runs.flatMap { run in run.variants.indices.map { (run, $0) } }
    let shared = Shared()
    self.shared = shared
    for run in runs { run.expectCaptures() }
    work = try OrderedWork(pieces: pieces.count, threads: threads) { piece in
      if interruption.hasCome { return nil }
      let (run, variant) = pieces[piece]
      return {
        shared.running.withLock { $0[piece] = Entry() }
        defer { shared.running.withLock { $0[piece] = nil } }
        return Result {
          let work = try run.work(of: variant, interruption: interruption)
          return try work.run(isInterrupted: { shared.isInterrupted.load(ordering: .relaxed) }) {
            progress in
            shared.running.withLock { running in
              guard let entry = running[piece], entry.progress == nil || entry.wasSeen else {
                return
              }
              running[piece] = Entry(progress: progress())
            }
          }
        }
      }
    }
  }

  deinit {
    // The threads are waited for.
    shared.isInterrupted.store(true, ordering: .relaxed)
  }

  /// Whether there is something of the next variant, though an interruption has come.
  package var nextHasBegun: Bool { work.nextHasBegun }

  /// Waits for the next variant; tells how far those that run have come while that lasts.
  ///
  /// Nil when an interruption came before it began.
  func next(
    interruption: Interruption, progress: ([RunProgress]) -> Void
  ) throws -> VariantOutcome? {
    try work.next {
      if interruption.hasCome { shared.isInterrupted.store(true, ordering: .relaxed) }
      progress(look())
    }?.get()
  }

  /// Passes over variants that nobody needs any more.
  func skip(_ count: Int) {
    work.skip(count)
  }

  private func look() -> [RunProgress] {
    shared.running.withLock { running in
      let pieces = running.keys.sorted()
      for piece in pieces { running[piece]?.wasSeen = true }
      return pieces.compactMap { running[$0]?.progress }
    }
  }
}
