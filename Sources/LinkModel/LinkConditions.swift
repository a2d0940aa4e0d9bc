package import Quantities

/// How fast one direction of a link carries bytes.
package enum LinkRate: Hashable, Sendable {
  case limited(DataRate)
  /// Everything crosses at once.
  case unlimited
  /// Nothing crosses.
  case offline
}

/// One direction of a link: its rate, and the time from departure to arrival.
package struct DirectionConditions: Hashable, Sendable {
  package var rate: LinkRate
  /// One way, not a round trip.
  package var latency: Duration

  package init(rate: LinkRate, latency: Duration = .zero) {
    self.rate = rate
    self.latency = latency
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
