import Dispatch
import EventLoop
import Synchronization

/// Numbered pieces of work, done on threads of its own and handed out in order.
///
/// A piece is prepared under a lock, one after the other in order, and worked on beside others. No
/// more than ``aheadMax`` pieces for each thread are begun before the oldest was taken, so memory
/// stays bounded however slowly that goes. The threads end with this value.
package final class OrderedWork<Result: Sendable> {
  /// Enough for a thread to go on while an uneven neighbour holds the order up.
  package static var aheadMax: Int { 4 }

  private let shared: Shared<Result>
  private var threads: [OwnedThread] = []
  private var taken = 0

  /// `prepare` gives the work of a piece, which is then done elsewhere; with nil nothing more is begun.
  ///
  /// Throws when the system gives no thread; fewer than asked for will do.
  package init(
    pieces: Int, threads count: Int,
    prepare: @escaping @Sendable (Int) -> (@Sendable () -> Result)?
  ) throws(BenchFailure) {
    shared = Shared(pieces: pieces, prepare: prepare)
    let count = min(count, pieces)
    for _ in 0..<count * Self.aheadMax { shared.room.signal() }
    for _ in 0..<count {
      guard let thread = OwnedThread(name: "onebar-variant", { [shared] in shared.work() }) else {
        break
      }
      threads.append(thread)
    }
    if threads.isEmpty, pieces > 0 { throw BenchFailure("the system gives no thread") }
  }

  deinit {
    shared.isOver.store(true, ordering: .relaxed)
    for _ in threads { shared.room.signal() }
    for thread in threads { thread.join() }
  }

  /// The next piece is done, or is being worked on.
  package var nextHasBegun: Bool { shared.hasBegun(taken) }

  /// Waits for the result of the next piece, and calls `look` now and then on the way; nil when it
  /// will not be begun any more.
  ///
  /// There has to be one.
  package func next(_ look: () -> Void) -> Result? {
    while true {
      let result = shared.results.withLock { $0.removeValue(forKey: taken) }
      if let result {
        taken += 1
        shared.room.signal()
        return result
      }
      if shared.isOver.load(ordering: .relaxed), !nextHasBegun { return nil }
      look()
      _ = shared.ready.wait(timeout: .now() + .milliseconds(20))
    }
  }

  /// Passes over pieces that nobody needs any more.
  package func skip(_ count: Int) {
    for _ in 0..<count { _ = next {} }
  }
}

/// What the threads and the taker of the results share.
private final class Shared<Result: Sendable>: Sendable {
  let results = Mutex<[Int: Result]>([:])
  /// Signalled for each result.
  let ready = DispatchSemaphore(value: 0)
  /// Counts the pieces that may be begun.
  let room = DispatchSemaphore(value: 0)
  let isOver = Atomic(false)
  private let pieces: Int
  private let prepare: @Sendable (Int) -> (@Sendable () -> Result)?
  private let begun = Mutex(0)

  init(pieces: Int, prepare: @escaping @Sendable (Int) -> (@Sendable () -> Result)?) {
    self.pieces = pieces
    self.prepare = prepare
  }

  func hasBegun(_ piece: Int) -> Bool { begun.withLock { piece < $0 } }

  func work() {
    while true {
      room.wait()
      let piece = begun.withLock { begun -> (number: Int, work: @Sendable () -> Result)? in
        guard begun < pieces, !isOver.load(ordering: .relaxed) else { return nil }
        guard let work = prepare(begun) else {
          isOver.store(true, ordering: .relaxed)
          return nil
        }
        defer { begun += 1 }
        return (begun, work)
      }
      guard let piece else { return }
      let result = piece.work()
      results.withLock { $0[piece.number] = result }
      ready.signal()
    }
  }
}
