package import Quantities

/// What a line comes to when it is held against link and engine.
package struct LineVerdict: Hashable, Sendable {
  package enum Truth: Hashable, Sendable {
    case isTrue
    /// Not so, or no longer so, from that time on: why, as a sentence without its full stop.
    case isFalse(Falsehood, why: String, from: Instant)
    /// It says nothing that could be held against anything.
    case notJudged
  }

  /// What kind of thing was not so.
  package enum Falsehood: Hashable, Sendable, CaseIterable {
    case done, parked, sending, kept, figures, total, backwards, notTaken, rate, link, engine
  }

  package var truth: Truth
  /// When the next line took its place, or its life or the run ended.
  package var until: Instant
  /// Bytes that the figures of a client that is not ours come to; nil of any other line.
  package var claimed: Int?
  /// Bytes that it claims of a body, less those that had crossed; nil when it claims none.
  package var ahead: Int?

  /// For how long it stood while it was not so.
  package var falseFor: Duration {
    if case .isFalse(_, _, let from) = truth { max(.zero, until - from) } else { .zero }
  }
}
