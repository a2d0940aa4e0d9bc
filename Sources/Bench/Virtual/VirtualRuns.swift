import Captures
import Scenarios
import Synchronization

/// The variants of scenario runs in the virtual world, side by side on a few threads.
///
/// Each variant has a world of its own, with its own time, and shares nothing but captures that no
/// one changes. Results come in order, so that one thread and many give the same bytes.
package final class VirtualRuns {
  /// More threads than any machine that this was tried on has cores.
  package static let threadsMax = 64

  private struct Newest: Sendable {
    /// The piece that is waited for; only its progress is of interest.
    var piece = 0
    /// Nil once it was looked at.
    var progress: RunProgress?
  }

  private final class Shared: Sendable {
    let newest = Mutex(Newest())
    let isInterrupted = Atomic(false)
  }

  private let shared: Shared
  private let work: OrderedWork<Result<VariantOutcome, any Error>>
  private var taken = 0

  /// Those of the runs that are in the virtual world begin at once, in order.
  ///
  /// Throws when the system gives no thread.
  package init(_ runs: [ScenarioRun], threads: Int) throws(BenchFailure) {
    let pieces = runs.filter(\.mode.isVirtual).flatMap { run in
      run.variants.indices.map { (run, $0) }
    }
    let shared = Shared()
    self.shared = shared
    work = try OrderedWork(pieces: pieces.count, threads: threads) { piece in
      let (run, variant) = pieces[piece]
      let prepared = Result { try run.virtualWork(of: variant) }
      return {
        Result {
          try prepared.get().run(isInterrupted: { shared.isInterrupted.load(ordering: .relaxed) }) {
            progress in
            shared.newest.withLock { newest in
              // It is looked at far less often than it is told.
              if newest.piece == piece, newest.progress == nil { newest.progress = progress() }
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

  /// Waits for the next variant; tells its progress while that lasts.
  func next(
    interruption: Interruption, progress: (RunProgress) -> Void
  ) throws -> VariantOutcome {
    shared.newest.withLock { $0 = Newest(piece: taken) }
    taken += 1
    return try work.next {
      if interruption.hasCome { shared.isInterrupted.store(true, ordering: .relaxed) }
      let newest = shared.newest.withLock { newest in
        defer { newest.progress = nil }
        return newest.progress
      }
      if let newest { progress(newest) }
    }.get()
  }

  /// Passes over variants that nobody needs any more.
  func skip(_ count: Int) {
    work.skip(count)
    taken += count
  }
}
