import Quantities

/// Cuts chunks into small pieces, and lets a time pass after each.
package struct SlicerToxic: Hashable, Sendable {
  /// Bytes of a piece; less than one counts as one.
  package var averageSize: Int
  /// Pieces are at most this much larger; it is also how far a cut may be from the middle.
  package var sizeVariation: Int
  package var delay: Duration

  package init(averageSize: Int, sizeVariation: Int = 0, delay: Duration = .zero) {
    self.averageSize = averageSize
    self.sizeVariation = sizeVariation
    self.delay = delay
  }
}

struct SlicerStage: ToxicStage {
  /// Bytes that wait to leave.
  static let queueMax = 64_000

  private var toxic: SlicerToxic
  private var random: SeededRandom
  private var waiting = FIFO<ToxicFlow>()
  /// Parts of the chunk at the front, the next one last; they are cut further when they come up.
  private var parts: [Int] = []
  private var queued = 0
  /// What leaves next, and when it came up.
  private var piece: Departure?
  private var lastLeft: Instant?

  init(_ toxic: SlicerToxic, random: SeededRandom) {
    self.toxic = toxic
    self.random = random
  }

  var nextEvent: Instant? {
    piece.map { piece in max(piece.at, lastLeft.map { $0 + toxic.delay } ?? piece.at) }
  }

  var room: Int { Self.queueMax - queued }

  mutating func take(_ flow: ToxicFlow, at now: Instant) {
    waiting.append(flow)
    queued += flow.count
    if piece == nil { piece = cut(at: now) }
  }

  mutating func leave(at now: Instant) -> ToxicFlow? {
    guard let flow = piece?.flow else { return nil }
    queued -= flow.count
    lastLeft = now
    piece = cut(at: now)
    return flow
  }

  private mutating func cut(at now: Instant) -> Departure? {
    while true {
      if let part = parts.popLast() { return Departure(.bytes(slice(part)), at: now) }
      guard let flow = waiting.popFirst() else { return nil }
      guard case .bytes(let count) = flow else { return Departure(flow, at: now) }
      parts.append(count)
    }
  }

  /// Halves a part until it is small enough, and keeps the other halves for later.
  private mutating func slice(_ part: Int) -> Int {
    let largest = max(1, toxic.averageSize).addingReportingOverflow(toxic.sizeVariation)
    guard !largest.overflow else { return part }
    var size = part
    while size > largest.partialValue {
      let variation = min(toxic.sizeVariation, size / 2 - 1)
      let shift = variation > 0 ? random.whole(-variation...variation) : 0
      let first = size / 2 + shift
      parts.append(size - first)
      size = first
    }
    return size
  }

  mutating func change(to kind: ToxicKind, at now: Instant) {
    if case .slicer(let changed) = kind { toxic = changed }
  }

  mutating func stop(isRemoved: Bool, at now: Instant) {
    toxic = SlicerToxic(averageSize: .max)
  }
}
