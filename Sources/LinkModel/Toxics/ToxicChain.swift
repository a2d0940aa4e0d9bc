package import Quantities

/// The toxics of one direction of one connection, in the order in which they were added: what
/// becomes of its bytes, and when.
///
/// It counts bytes; whoever drives it keeps their content.
package struct ToxicChain: Sendable {
  private struct Link {
    var toxic: Toxic
    /// From 0 up to 1; the toxic is laid on this connection while its toxicity is above.
    var draw: Double
    /// Nil while it is not laid on this connection.
    var stage: (any ToxicStage)?
  }

  private var links: [Link] = []
  private let random: SeededRandom
  private var clock: Instant
  private var left: [ToxicFlow] = []

  /// Draws with `random` which toxics are laid on this connection.
  package init(_ toxics: [Toxic] = [], random: SeededRandom, at now: Instant) {
    self.random = random
    clock = now
    change(to: toxics, at: now)
  }

  /// There is no toxic, and nothing under way.
  package var isEmpty: Bool { links.isEmpty && left.isEmpty }

  /// When ``advance(to:)`` has something to do next; nil when nothing is under way.
  package var nextEvent: Instant? {
    left.isEmpty ? links.compactMap { $0.stage?.nextEvent }.min() : clock
  }

  /// Bytes that it would still take in; zero or less when whoever sends them is to wait.
  package var room: Int { links.map { $0.stage?.room ?? .max }.min() ?? .max }

  /// Advance to `now` first.
  package mutating func offer(_ bytes: Int, at now: Instant) {
    if bytes > 0 { pass(.bytes(bytes), from: 0, at: now) }
  }

  /// Nothing follows.
  ///
  /// Advance to `now` first.
  package mutating func offerEnd(at now: Instant) {
    pass(.end, from: 0, at: now)
  }

  /// Lays other toxics on the connection, with what is in hand; those that stay go on as they were.
  ///
  /// What a toxic that goes has in hand passes to the next at once. Advance to `now` first.
  package mutating func change(to toxics: [Toxic], at now: Instant) {
    clock = now
    for index in links.indices {
      let changed = toxics.first { $0.number == links[index].toxic.number }
      if changed.map({ links[index].draw < $0.toxicity }) != true {
        stop(index, isRemoved: changed == nil)
      }
    }
    let before = links
    links = toxics.map { toxic in
      var link = before.first { $0.toxic.number == toxic.number } ?? newLink(toxic)
      link.toxic = toxic
      if link.stage != nil {
        link.stage?.change(to: toxic.kind, at: now)
      } else if link.draw < toxic.toxicity {
        link.stage = toxic.kind.stage(random: fork(toxic, for: "stage"), at: now)
      }
      return link
    }
  }

  /// Everything that has come out, up to and including `now`, in order.
  package mutating func advance(to now: Instant) -> [ToxicFlow] {
    while let (index, event) = nextStage(), event <= now {
      clock = max(clock, event)
      leave(index)
    }
    clock = max(clock, now)
    defer { left = [] }
    return left
  }

  private func nextStage() -> (index: Int, event: Instant)? {
    var next: (index: Int, event: Instant)?
    for index in links.indices {
      guard let event = links[index].stage?.nextEvent else { continue }
      if next.map({ event < $0.event }) != false { next = (index, event) }
    }
    return next
  }

  private mutating func leave(_ index: Int) {
    guard let flow = links[index].stage?.leave(at: clock) else { return }
    pass(flow, from: index + 1, at: clock)
  }

  /// Gives a flow to the first stage from `index` on, or lets it out behind the last.
  private mutating func pass(_ flow: ToxicFlow, from index: Int, at now: Instant) {
    for index in links.indices.dropFirst(index) where links[index].stage != nil {
      links[index].stage?.take(flow, at: now)
      return
    }
    left.append(flow)
  }

  private mutating func stop(_ index: Int, isRemoved: Bool) {
    links[index].stage?.stop(isRemoved: isRemoved, at: clock)
    while let event = links[index].stage?.nextEvent, event <= clock { leave(index) }
    links[index].stage = nil
  }

  private func newLink(_ toxic: Toxic) -> Link {
    var draws = fork(toxic, for: "toxicity")
    return Link(toxic: toxic, draw: draws.fraction())
  }

  private func fork(_ toxic: Toxic, for concern: String) -> SeededRandom {
    random.fork("\(concern) \(toxic.number)")
  }
}
