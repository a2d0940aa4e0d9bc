/// How far a queue is at one moment.
package struct QueueGlance: Hashable, Sendable {
  /// The line of the entry that is being sent, else of the next one; nil when none is left.
  package var line: String?
  /// Entries that are still to be sent.
  package var left: Int
  /// Entries that wait for the user.
  package var parked: Int
  /// No pass runs, and none has been asked for.
  package var isAtRest: Bool
}
