package import Quantities

/// Lets bytes out at a rate, packet by packet.
///
/// Within a busy period the n-th byte leaves at start + n / rate, computed from the start each
/// time, so that late timers lose nothing; idle time earns nothing.
package struct BandwidthToxic: Hashable, Sendable {
  /// At zero nothing leaves until it is changed.
  package var rate: DataRate

  package init(rate: DataRate) {
    self.rate = rate
  }
}

struct BandwidthStage: ToxicStage {
  /// Bytes that wait to leave: 3 s at 20 KB/s; the sender is kept waiting with the rest.
  static let queueMax = 64_000
  /// At a high rate it is what leaves in this time, so that a late timer finds it not yet empty; up
  /// to what is spent on memory.
  static let queueSeconds = 0.01
  static let fastQueueMax = 4_000_000.0

  private var rate: DataRate
  private var waiting = FIFO<ToxicFlow>()
  private var queued = 0
  /// Of the chunk that is being let out, what is not in a packet yet.
  private var chunk = 0
  private var service: Departure?
  private var periodStart = Instant.zero
  /// Bytes that have left since then, the packet in service included; what was left of the packet
  /// when the rate changed counts as the first.
  private var periodBytes = 0.0

  init(_ toxic: BandwidthToxic) {
    rate = toxic.rate
  }

  /// A packet that never leaves by itself has no event.
  var nextEvent: Instant? { service?.at == .distantFuture ? nil : service?.at }

  var room: Int {
    let fast = min(Self.fastQueueMax, rate.bytesPerSecond * Self.queueSeconds)
    return max(Self.queueMax, Int(fast)) - queued
  }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    waiting.append(flow)
    queued += flow.count
    guard service == nil else { return }
    (periodStart, periodBytes) = (now, 0)
    serve(from: now)
  }

  mutating func leave(at now: Instant) -> ToxicFlow? {
    guard let flow = service?.flow else { return nil }
    queued -= flow.count
    serve(from: now)
    return flow
  }

  private mutating func serve(from start: Instant) {
    service = nil
    if chunk == 0 {
      guard let flow = waiting.popFirst() else { return }
      guard case .bytes(let count) = flow else {
        service = Departure(flow, at: start)
        return
      }
      chunk = count
    }
    let packet = min(LinkDirection.packetBytes, chunk)
    chunk -= packet
    periodBytes += Double(packet)
    service = Departure(.bytes(packet), at: departure)
  }

  private var departure: Instant {
    guard rate.bytesPerSecond > 0 else { return .distantFuture }
    return periodStart + .seconds(exactly: periodBytes / rate.bytesPerSecond)
  }

  /// What the packet in service still needs is served at the new rate.
  mutating func change(to kind: ToxicKind, at now: Instant) {
    guard case .bandwidth(let toxic) = kind, toxic.rate != rate else { return }
    setRate(toxic.rate, at: now)
  }

  mutating func stop(isRemoved: Bool, at now: Instant) {
    setRate(DataRate(bytesPerSecond: .infinity), at: now)
  }

  private mutating func setRate(_ changed: DataRate, at now: Instant) {
    if case .bytes(let packet) = service?.flow {
      // At rate zero nothing was served since the period began.
      let served = rate.bytesPerSecond > 0 ? (now - periodStart).inSeconds * rate.bytesPerSecond : 0
      periodBytes = min(Double(packet), max(0, periodBytes - served))
      periodStart = now
      rate = changed
      service = Departure(.bytes(packet), at: departure)
    } else {
      rate = changed
    }
  }
}
