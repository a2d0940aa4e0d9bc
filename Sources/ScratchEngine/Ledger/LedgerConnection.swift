package import Quantities

/// One connection in the ledger.
package struct LedgerConnection: Hashable, Sendable {
  /// From 0, in order of opening.
  package var number: Int
  package var openedAt: Instant
  package var endedAt: Instant?
  /// Nil while it is open.
  package var end: ConnectionEnd?
  /// Bytes that came in and went out, heads and framing included.
  package var received = 0
  package var sent = 0
  /// The rule of the script that was for it before any request, counted from 0.
  package var rule: Int?
  /// Why its bytes were no request.
  package var fault: String?
  /// The engine had kept it, and ended it because no further request came in time.
  package var timedOut = false
}
