import Captures
import Dispatch
import ScratchEngine
import Synchronization

/// A SHA-256 that is made beside the thread that reads: a long body comes in at the pace of the
/// slower of the two, and not at that of both one after the other.
///
/// What was read is handed over, not copied. For an engine by hand: where time is dilated another
/// busy thread would make timers late.
package final class ParallelDigest: BodyDigest {
  /// What the two threads share; a piece at a time has the digest.
  private final class Shared: Sendable {
    let digest = Mutex(SHA256Digest())
    let room = DispatchSemaphore(value: ParallelDigest.piecesMax)
  }

  /// Bytes that are digested at once: to wake another thread for a short body costs more than that.
  private static let shortMax = 1_000_000
  /// Pieces that wait to be digested; the reader then waits for the digest, so that memory is
  /// bounded by so many reads.
  private static let piecesMax = 8

  private let shared = Shared()
  private var queue: DispatchQueue?
  private var count = 0

  package init() {}

  package func update(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    guard count > Self.shortMax else {
      shared.digest.withLock { $0.update(bytes) }
      return
    }
    let queue = queue ?? DispatchQueue(label: "onebar-digest")
    self.queue = queue
    shared.room.wait()
    queue.async { [shared] in
      shared.digest.withLock { $0.update(bytes) }
      shared.room.signal()
    }
  }

  package func finish() -> String {
    // Behind all that was handed over.
    queue?.sync {}
    return shared.digest.withLock { $0.finish() }
  }
}
