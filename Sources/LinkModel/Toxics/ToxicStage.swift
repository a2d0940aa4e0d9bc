import Quantities

/// One toxic at work on one direction of one connection.
///
/// Flows come in and leave in the same order; the chain asks when the next one leaves.
protocol ToxicStage: Sendable {
  /// When the next flow leaves; nil while nothing is going to by itself.
  var nextEvent: Instant? { get }
  /// Bytes that it would still take in without holding more than it may.
  var room: Int { get }

  mutating func take(_ flow: ToxicFlow, at now: Instant)

  /// What leaves at ``nextEvent``.
  mutating func leave(at now: Instant) -> ToxicFlow?

  /// Goes on with other settings and what is in hand; the same settings change nothing.
  mutating func change(to kind: ToxicKind, at now: Instant)

  /// Lets all go that is in hand: it leaves at once from now on.
  ///
  /// Removed says that the toxic is gone for every connection, and not only off this one.
  mutating func stop(isRemoved: Bool, at now: Instant)
}

extension ToxicStage {
  var room: Int { .max }
}

/// A flow, and the instant at which it leaves its stage.
struct Departure: Hashable, Sendable {
  var flow: ToxicFlow
  var at: Instant

  init(_ flow: ToxicFlow, at instant: Instant) {
    self.flow = flow
    at = instant
  }
}
