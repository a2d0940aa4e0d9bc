import Quantities
import Reports
import ScratchEngine
import ThrottlingProxy

/// The times in which bytes were on their way, from looks at the link.
struct Movement {
  /// In either direction.
  private(set) var any = Spans()
  /// To the client alone.
  private(set) var down = Spans()

  mutating func note(_ link: LinkProxy.Reading, _ ledger: Ledger, at now: Instant) {
    let isAnswering = link.down.queued > 0
    any.note(isAnswering || link.held(received: ledger.received) > 0, at: now)
    down.note(isAnswering, at: now)
  }

  /// Stretches of time in which something was so at every look.
  struct Spans {
    /// The last one is still open while it is so.
    private var closed: [Range<Instant>] = []
    private var since: Instant?

    mutating func note(_ isSo: Bool, at now: Instant) {
      if isSo {
        since = since ?? now
      } else if let start = since {
        closed.append(start..<now)
        since = nil
      }
    }

    func until(_ end: Instant) -> [Range<Instant>] {
      closed + (since.map { [$0..<max($0, end)] } ?? [])
    }
  }
}
