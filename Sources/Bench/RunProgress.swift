package import Quantities

/// How far a variant has come, for whoever waits for it.
package struct RunProgress: Hashable, Sendable {
  /// The name of its file.
  package var scenario: String
  package var variant: String
  /// Counted from 1, of all that will be run.
  package var run: Int
  package var runs: Int
  package var now: Instant
  package var horizon: Duration
  package var carried: ByteCount
  package var attempts: Int
  package var landed: Int
  package var files: Int
  /// As the user sees it now; empty before the first.
  package var statusLine: String
}

/// What happens while a run is made, for whoever waits for it.
package enum RunNews: Hashable, Sendable {
  /// How far all have come that run now, also variants of other runs.
  case running([RunProgress])
  /// A variant of this run is over.
  case over(RunProgress)
}
