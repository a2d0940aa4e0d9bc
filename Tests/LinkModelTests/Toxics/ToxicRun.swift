import LinkModel
import Quantities

/// A chain driven from event to event, with what came out of it and when.
struct ToxicRun {
  struct Line: Hashable, CustomStringConvertible {
    /// Milliseconds.
    var at: Double
    var flow: ToxicFlow

    init(_ at: Double, _ flow: ToxicFlow) {
      self.at = at
      self.flow = flow
    }

    var description: String { "\(at) ms \(flow)" }
  }

  private(set) var chain: ToxicChain
  private(set) var lines: [Line] = []
  private(set) var now = Instant.zero

  init(_ kinds: ToxicKind..., seed: UInt64 = 1) {
    self.init(toxics: kinds.enumerated().map { Toxic($0.offset, $0.element) }, seed: seed)
  }

  init(toxics: [Toxic], seed: UInt64 = 1) {
    chain = ToxicChain(toxics, random: SeededRandom(seed: seed), at: .zero)
  }

  mutating func advance(to milliseconds: Double) {
    let end = Instant(nanoseconds: Int64((milliseconds * 1e6).rounded()))
    while let event = chain.nextEvent, event <= end { take(event) }
    take(end)
  }

  /// Until nothing is under way any more.
  mutating func finish() {
    while let event = chain.nextEvent { take(event) }
  }

  mutating func offer(_ bytes: Int) {
    chain.offer(bytes, at: now)
    take(now)
  }

  mutating func offerEnd() {
    chain.offerEnd(at: now)
    take(now)
  }

  mutating func change(to toxics: [Toxic]) {
    chain.change(to: toxics, at: now)
    take(now)
  }

  private mutating func take(_ instant: Instant) {
    now = instant
    for flow in chain.advance(to: instant) { lines.append(Line(instant.seconds * 1e3, flow)) }
  }

  /// Bytes that were passed.
  var passed: Int {
    lines.reduce(0) { sum, line in
      if case .bytes(let count) = line.flow { sum + count } else { sum }
    }
  }

  var dropped: Int {
    lines.reduce(0) { sum, line in
      if case .dropped(let count) = line.flow { sum + count } else { sum }
    }
  }
}

extension Toxic {
  init(_ number: Int, _ kind: ToxicKind, toxicity: Double = 1) {
    self.init(
      number: number, name: "\(number)", stream: .upstream, toxicity: toxicity, kind: kind)
  }
}

extension ToxicKind {
  static func latency(_ milliseconds: Int, jitter: Int = 0) -> ToxicKind {
    .latency(
      LatencyToxic(latency: .milliseconds(milliseconds), jitter: .milliseconds(jitter)))
  }

  static func bandwidth(_ kilobytes: Double) -> ToxicKind {
    .bandwidth(BandwidthToxic(rate: .kilobytes(kilobytes)))
  }

  static func slowClose(_ milliseconds: Int) -> ToxicKind {
    .slowClose(SlowCloseToxic(delay: .milliseconds(milliseconds)))
  }

  static func timeout(_ milliseconds: Int) -> ToxicKind {
    .timeout(TimeoutToxic(timeout: .milliseconds(milliseconds)))
  }

  static func resetPeer(_ milliseconds: Int) -> ToxicKind {
    .resetPeer(ResetPeerToxic(timeout: .milliseconds(milliseconds)))
  }

  static func limitData(_ bytes: Int) -> ToxicKind {
    .limitData(LimitDataToxic(bytes: ByteCount(bytes)))
  }
}
