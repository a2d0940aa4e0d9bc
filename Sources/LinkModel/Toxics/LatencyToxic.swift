import Quantities

/// Holds each chunk for a time from when it came in, so that delays do not add up between chunks.
///
/// Like its model it does not hold the end of the stream, which leaves behind the last byte.
package struct LatencyToxic: Hashable, Sendable {
  package var latency: Duration
  /// Drawn for each chunk, evenly from as much less to as much more; order is kept, so that a late
  /// chunk holds up those behind it.
  package var jitter: Duration

  package init(latency: Duration, jitter: Duration = .zero) {
    self.latency = latency
    self.jitter = jitter
  }

  /// `draw` is from -1 to 1; a delay below zero is none.
  fileprivate func delay(_ draw: Double) -> Duration {
    let jitter = Duration.seconds(exactly: jitter.inSeconds * draw)
    return max(.zero, .nanoseconds(latency.nanoseconds.adding(saturating: jitter.nanoseconds)))
  }
}

struct LatencyStage: ToxicStage {
  /// Bytes in flight: 16 s at 1 MB/s, and what it costs in memory.
  static let bytesMax = 16_000_000
  /// Chunks in flight: what small ones cost is their bookkeeping.
  static let chunksMax = 65_536

  private struct Held {
    var flow: ToxicFlow
    var since: Instant
    var draw: Double
    var due: Instant
  }

  private var toxic: LatencyToxic
  private var random: SeededRandom
  private var held = FIFO<Held>()
  private var bytes = 0
  private var lastDue = Instant.zero

  init(_ toxic: LatencyToxic, random: SeededRandom) {
    self.toxic = toxic
    self.random = random
  }

  var nextEvent: Instant? { held.first?.due }

  var room: Int { held.count < Self.chunksMax ? Self.bytesMax - bytes : 0 }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    var draw = 0.0
    if case .bytes = flow { draw = random.fraction() * 2 - 1 }
    append(Held(flow: flow, since: now, draw: draw, due: now))
    bytes += flow.count
  }

  private mutating func append(_ flow: Held) {
    var flow = flow
    flow.due = flow.since
    if case .bytes = flow.flow { flow.due = flow.since + toxic.delay(flow.draw) }
    lastDue = max(lastDue, flow.due)
    flow.due = lastDue
    held.append(flow)
  }

  mutating func leave(at now: Instant) -> ToxicFlow? {
    let flow = held.popFirst()?.flow
    bytes -= flow?.count ?? 0
    return flow
  }

  /// What is in hand is held as if it had come in under the new settings.
  mutating func change(to kind: ToxicKind, at now: Instant) {
    guard case .latency(let changed) = kind, changed != toxic else { return }
    toxic = changed
    lastDue = now
    var before = held
    held = FIFO()
    while let flow = before.popFirst() { append(flow) }
  }

  mutating func stop(isRemoved: Bool, at now: Instant) {
    change(to: .latency(LatencyToxic(latency: .zero)), at: now)
  }
}
