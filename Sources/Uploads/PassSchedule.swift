package import Quantities

/// Decides when the next pass over the queue begins.
///
/// A drain that is asked for while a pass runs asks, with coalescing, for exactly one more pass
/// after it; without, it is dropped. A pass that ended at a transient failure drops it in any case:
/// the sync loop comes back, its pause counted from the end of any pass. A web card has no such loop.
package struct PassSchedule: Hashable, Sendable {
  /// The shortest pause of the sync loop: without one it would never let go.
  package static let pauseMin = Duration.seconds(1)

  private let coalescing: Bool
  /// Nil without a sync loop.
  private let pause: Duration?
  private var asked = false
  private var running = false
  private var ended: Instant

  /// `now` stands in for the end of a pass before the first.
  package init(_ policy: UploadPolicy, now: Instant) {
    coalescing = policy.coalescing
    pause = policy.client == .card ? nil : max(policy.syncPause, Self.pauseMin)
    ended = now
  }

  package mutating func ask() {
    if !running || coalescing { asked = true }
  }

  package mutating func begin() {
    running = true
    asked = false
  }

  package mutating func end(well: Bool, now: Instant) {
    running = false
    if !well { asked = false }
    ended = now
  }

  /// No pass runs, and none has been asked for.
  package var isAtRest: Bool { !running && !asked }

  /// When the sync loop starts a pass by itself.
  package var syncDue: Instant { pause.map { ended + $0 } ?? .distantFuture }

  package func isDue(at now: Instant) -> Bool {
    asked || now >= syncDue
  }
}
