import LinkModel
import Quantities
import Testing

@Suite struct LinkTellerTests {
  private static let packet = LinkDirection.packetBytes

  private func milliseconds(_ count: Int) -> Instant { .zero + .milliseconds(count) }

  /// Everything that is to be told at an instant.
  private func notices(_ link: inout LinkTeller, at now: Instant) -> [LinkTeller.Notice] {
    link.change(at: now) { _, _ in }
    var notices: [LinkTeller.Notice] = []
    while let notice = link.next(at: now) { notices.append(notice) }
    return notices
  }

  @Test func `a lane is told of its packets in a row as one, and once that they have left`() {
    // One packet each 73 ms.
    var link = LinkTeller(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(100)),
      random: SeededRandom(seed: 1))
    let (one, other) = (link.openLane(), link.openLane())
    link.change(at: .zero) { model, now in
      model.offer(2 * Self.packet, on: one, at: now)
      model.offerEnd(of: one, at: now)
      model.offer(100, on: other, at: now)
    }
    #expect(notices(&link, at: milliseconds(72)).isEmpty)
    #expect(notices(&link, at: milliseconds(73)) == [.departed(one)])
    // A driver that comes late tells of all that has happened since.
    #expect(
      notices(&link, at: milliseconds(1_000)) == [
        .arrived(one, bytes: Self.packet, isEnd: false), .arrived(other, bytes: 100, isEnd: false),
        .arrived(one, bytes: Self.packet, isEnd: true), .departed(other), .departed(one),
      ])
    #expect(notices(&link, at: milliseconds(2_000)).isEmpty)
    #expect(link.model.nextEvent == nil)

    link.change(at: milliseconds(2_000)) { model, now in
      model.offer(3 * Self.packet, on: other, at: now)
    }
    #expect(
      notices(&link, at: milliseconds(3_000)) == [
        .arrived(other, bytes: 3 * Self.packet, isEnd: false), .departed(other),
      ])
  }

  @Test func `what comes up while lanes are told is told behind the rest`() {
    var link = LinkTeller(DirectionConditions(rate: .unlimited), random: SeededRandom(seed: 1))
    let (one, other) = (link.openLane(), link.openLane())
    link.change(at: .zero) { model, now in
      model.offer(1, on: one, at: now)
      model.offer(2, on: other, at: now)
    }
    #expect(link.next(at: .zero) == .arrived(one, bytes: 1, isEnd: false))
    link.change(at: .zero) { model, now in model.offer(3, on: one, at: now) }
    var rest: [LinkTeller.Notice] = []
    while let notice = link.next(at: .zero) { rest.append(notice) }
    #expect(
      rest == [
        .arrived(other, bytes: 2, isEnd: false), .departed(one), .departed(other),
        .arrived(one, bytes: 3, isEnd: false), .departed(one),
      ])
  }
}
