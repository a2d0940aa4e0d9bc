package import Quantities

/// One direction of a link: how fast it carries bytes, when it does not, and the time from
/// departure to arrival.
///
/// They act in this order, and times over which they change are link times, whenever the conditions
/// were set:
///
/// 1. The rate serves what is queued, packet by packet: by a rate that may change in steps, or at the
///    opportunities of a trace or of lumps.
/// 2. In an outage nothing is served, and opportunities are lost.
/// 3. A packet that has left arrives a latency later, more or less by the jitter but not before it
///    left. What is under way arrives whatever happens meanwhile.
/// 4. A loss makes it later by its stall.
/// 5. Nothing overtakes on a lane: a packet that is late holds up the next.
package struct DirectionConditions: Hashable, Sendable {
  package var rate: Pace
  package var outages: [Outage]
  /// One way, not a round trip.
  package var latency: Duration
  /// Around the latency, either way; every time in between is as likely.
  package var jitter: Duration
  package var loss: Loss?

  package init(
    rate: Pace, outages: [Outage] = [], latency: Duration = .zero, jitter: Duration = .zero,
    loss: Loss? = nil
  ) {
    self.rate = rate
    self.outages = outages
    self.latency = latency
    self.jitter = jitter
    self.loss = loss
  }

  /// Whether bytes are ever kept waiting before they leave.
  package var throttles: Bool { rate.throttles || !outages.isEmpty }

  package var schedule: ServiceSchedule {
    switch rate {
    case .constant(let rate):
      .rates(RateSchedule([RateStep(at: .zero, rate: rate)], outages: outages))
    case .steps(let steps): .rates(RateSchedule(steps, outages: outages))
    case .trace(let trace): .opportunities(trace.opportunities(outages: outages))
    case .lumps(let rate, let every):
      .opportunities(
        Opportunities(
          at: [every.nanoseconds], round: every.nanoseconds, repeats: true,
          work: rate.workPerNanosecond * Int128(every.nanoseconds), outages: outages))
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
  /// What happens to connections; of each kind the first that fits one.
  package var faults: [ConnectionFault]

  /// The smallest buffer that can be held: the smallest kernel buffers alone take about 13 KB.
  package static let smallestBuffer = ByteCount(32_000)
  package static let defaultBuffer = ByteCount(64_000)

  package init(
    up: DirectionConditions, down: DirectionConditions,
    buffer: ByteCount = LinkConditions.defaultBuffer, faults: [ConnectionFault] = []
  ) {
    self.up = up
    self.down = down
    self.buffer = buffer
    self.faults = faults
  }
}
