package import Captures
package import Quantities

/// An entry of the queue, and what this process knows of it beyond its record.
package struct QueueItem: Sendable {
  package var entry: OutboxEntry
  package var state: EntryState
  /// The last transient failure, in words.
  package var failure: String?
  /// The engine asked for no attempt before.
  package var notBefore: Instant?
  /// The request in flight.
  package var progress: RequestProgress?
  /// Attempts so far of each step; only ever looked up.
  package var attempts: [UploadStep: Int] = [:]
  /// The attempt in flight has begun, and its end has not been reported.
  package var isAttempting = false

  package init(_ entry: OutboxEntry) {
    self.entry = entry
    state = entry.refused == nil ? .kept : .parked
  }

  /// What its line says, with `ahead` entries to be sent before it.
  package func standing(ahead: Int) -> EntryStanding {
    switch state {
    case .parked: .refused(entry.refused ?? "")
    case .done: .done
    case .waiting: .waiting(ahead: ahead, failure: failure)
    case .kept: .kept(ahead: ahead, failure: failure)
    case .sending:
      progress.map(EntryStanding.sending) ?? .waiting(ahead: ahead, failure: failure)
    }
  }
}
