package import Quantities

/// One direction of a link: how fast it carries bytes, when it does not, and the time from
/// departure to arrival.
///
/// Their order: the rate serves what is queued; an outage stops that; and what has left arrives a
/// latency later, whatever happens meanwhile. Times over which conditions change are link times,
/// whenever the conditions were set.
package struct DirectionConditions: Hashable, Sendable {
  package var rate: Pace
  package var outages: [Outage]
  /// One way, not a round trip.
  package var latency: Duration

  package init(rate: Pace, outages: [Outage] = [], latency: Duration = .zero) {
    self.rate = rate
    self.outages = outages
    self.latency = latency
  }

  /// Whether bytes are ever kept waiting before they leave.
  package var throttles: Bool { rate.throttles || !outages.isEmpty }

  package var schedule: RateSchedule {
    switch rate {
    case .constant(let rate): RateSchedule([RateStep(at: .zero, rate: rate)], outages: outages)
    case .steps(let steps): RateSchedule(steps, outages: outages)
    }
  }
}

/// What is declared of a link: two directions, and the bytes that it takes in before they cross.
package struct LinkConditions: Hashable, Sendable {
  package var up: DirectionConditions
  package var down: DirectionConditions
  /// Bytes of one connection that the path takes in, and acknowledges, before they have crossed.
  ///
  /// Kernel bytes of the path and of the sender are counted in.
  package var buffer: ByteCount

  /// The smallest buffer that can be held: the smallest kernel buffers alone take about 13 KB.
  package static let smallestBuffer = ByteCount(32_000)
  package static let defaultBuffer = ByteCount(64_000)

  package init(
    up: DirectionConditions, down: DirectionConditions,
    buffer: ByteCount = LinkConditions.defaultBuffer
  ) {
    self.up = up
    self.down = down
    self.buffer = buffer
  }
}
