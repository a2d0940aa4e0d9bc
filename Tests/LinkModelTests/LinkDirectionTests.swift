import Quantities
import Testing

@testable import LinkModel

@Suite struct LinkDirectionTests {
  static let packet = LinkDirection.packetBytes
  /// One packet each 73 ms.
  static let slow = DirectionConditions(rate: .limited(.kilobytes(20)))

  private func milliseconds(_ count: Int) -> Instant {
    .zero + .milliseconds(count)
  }

  @Test func `a byte leaves at its place in the busy period, and arrives a latency later`() {
    var link = LinkDirection(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(100)))
    let lane = link.openLane()
    link.offer(2 * Self.packet + 100, on: lane, at: milliseconds(1_000))
    #expect(link.nextEvent == milliseconds(1_073))
    let early = link.advance(to: Instant(nanoseconds: 1_072_999_999))
    #expect(early.departures.isEmpty && early.arrivals == [])
    let progress = link.advance(to: milliseconds(10_000))
    #expect(progress.departures.map(\.lane) == [lane, lane, lane])
    #expect(progress.arrivals.map(\.at) == [1_173, 1_246, 1_251].map(milliseconds))
    #expect(progress.arrivals.map(\.bytes) == [1_460, 1_460, 100])
    #expect(link.nextEvent == nil)
  }

  @Test(arguments: [61_399, 0.7, 100e6, 20_000, 61_400, 3.0])
  func `the long-run rate is exact`(bytesPerSecond: Double) throws {
    let rate = DataRate(bytesPerSecond: bytesPerSecond)
    var link = LinkDirection(DirectionConditions(rate: .limited(rate)))
    let lane = link.openLane()
    let start = Instant(seconds: 12.345_678_901)
    let packets = 20_000
    link.offer(packets * Self.packet, on: lane, at: start)
    let arrivals = link.advance(to: .distantFuture).arrivals
    #expect(arrivals.count == packets)
    for (index, arrival) in arrivals.enumerated() {
      let bytes = Double((index + 1) * Self.packet)
      let exact = bytes / bytesPerSecond * 1e9
      // Half a nanosecond of rounding, and what two floating-point numbers of that size can hold.
      let error = Double((arrival.at - start).nanoseconds) - exact
      guard abs(error) <= 0.5 + 2 * exact.ulp else {
        Issue.record("byte \(bytes) is \(error) ns off")
        return
      }
    }
  }

  @Test func `a late caller loses nothing`() {
    var punctual = LinkDirection(
      DirectionConditions(
        rate: .limited(DataRate(bytesPerSecond: 61_399)), latency: .milliseconds(7)))
    let lane = punctual.openLane()
    punctual.offer(500_000, on: lane, at: .zero)
    var late = punctual
    var expected: [LinkDirection.Arrival] = []
    while let next = punctual.nextEvent { expected += punctual.advance(to: next).arrivals }
    var random = SeededRandom(seed: 1)
    var now = Instant.zero
    var arrivals: [LinkDirection.Arrival] = []
    while late.nextEvent != nil {
      now = now + .milliseconds(Int.random(in: 1...2_000, using: &random))
      arrivals += late.advance(to: now).arrivals
    }
    #expect(arrivals == expected && arrivals.count > 300)
  }

  @Test func `idle time earns no burst`() {
    var link = LinkDirection(Self.slow)
    let lane = link.openLane()
    link.offer(Self.packet, on: lane, at: .zero)
    _ = link.advance(to: milliseconds(10_000))
    link.offer(2 * Self.packet, on: lane, at: milliseconds(10_000))
    let progress = link.advance(to: milliseconds(20_000))
    #expect(progress.arrivals.map(\.at) == [10_073, 10_146].map(milliseconds))
    #expect(progress.departures.map(\.busyPeriod) == [2, 2])
  }

  @Test func `bytes that come while a packet is under way stay in its busy period`() {
    var link = LinkDirection(Self.slow)
    let lane = link.openLane()
    link.offer(Self.packet, on: lane, at: .zero)
    _ = link.advance(to: milliseconds(50))
    link.offer(Self.packet, on: lane, at: milliseconds(50))
    let progress = link.advance(to: milliseconds(1_000))
    #expect(progress.arrivals.map(\.at) == [73, 146].map(milliseconds))
    #expect(Set(progress.departures.map(\.busyPeriod)).count == 1)
  }

  @Test func `lanes take turns by packet`() {
    var link = LinkDirection(Self.slow)
    let (first, second, third) = (link.openLane(), link.openLane(), link.openLane())
    link.offer(3 * Self.packet, on: first, at: .zero)
    link.offer(2 * Self.packet, on: second, at: .zero)
    _ = link.advance(to: milliseconds(73))
    link.offer(10, on: third, at: milliseconds(73))
    let progress = link.advance(to: milliseconds(1_000))
    #expect(progress.departures.map(\.lane) == [second, first, third, second, first])
    #expect(progress.arrivals.map(\.bytes) == [1_460, 1_460, 10, 1_460, 1_460])
  }

  @Test func `an end arrives with the last byte before it`() {
    var link = LinkDirection(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(100)))
    let lane = link.openLane()
    link.offer(2 * Self.packet, on: lane, at: .zero)
    link.offerEnd(of: lane, at: milliseconds(10))
    let arrivals = link.advance(to: milliseconds(1_000)).arrivals
    #expect(arrivals.map(\.isEnd) == [false, true])
    #expect(arrivals.map(\.at) == [173, 246].map(milliseconds))
  }

  @Test func `an end behind bytes that propagate arrives after them, and once`() {
    var link = LinkDirection(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(100)))
    let lane = link.openLane()
    link.offer(Self.packet, on: lane, at: .zero)
    _ = link.advance(to: milliseconds(80))
    #expect(link.propagating(lane) == Self.packet && link.queued(lane) == 0)
    link.offerEnd(of: lane, at: milliseconds(80))
    let arrivals = link.advance(to: milliseconds(1_000)).arrivals
    #expect(arrivals.map(\.isEnd) == [false, true])
    #expect(arrivals.map(\.at) == [173, 180].map(milliseconds))
    #expect(arrivals.map(\.bytes) == [Self.packet, 0])
  }

  @Test func `an end on an empty lane takes the latency`() {
    var link = LinkDirection(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(100)))
    let (busy, empty) = (link.openLane(), link.openLane())
    link.offer(5 * Self.packet, on: busy, at: .zero)
    link.offerEnd(of: empty, at: .zero)
    let arrivals = link.advance(to: milliseconds(150)).arrivals
    #expect(arrivals.map(\.lane) == [empty] && arrivals.map(\.isEnd) == [true])
    #expect(arrivals.map(\.at) == [milliseconds(100)])
  }

  @Test func `discarding a lane in the middle of its packet lets the next one start then`() {
    var link = LinkDirection(Self.slow)
    let (gone, other) = (link.openLane(), link.openLane())
    link.offer(3 * Self.packet, on: gone, at: .zero)
    link.offer(Self.packet, on: other, at: .zero)
    _ = link.advance(to: milliseconds(30))
    #expect(link.discard(gone, at: milliseconds(30)) == 3 * Self.packet)
    let progress = link.advance(to: milliseconds(1_000))
    #expect(progress.arrivals.map(\.lane) == [other])
    #expect(progress.arrivals.map(\.at) == [milliseconds(103)])
    #expect(link.discard(gone, at: milliseconds(1_000)) == 0)
  }

  @Test func `discarding a lane drops what propagates, and nothing of the others`() {
    var link = LinkDirection(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(500)))
    let (gone, other) = (link.openLane(), link.openLane())
    link.offer(2 * Self.packet, on: gone, at: .zero)
    link.offerEnd(of: gone, at: .zero)
    link.offer(2 * Self.packet, on: other, at: .zero)
    _ = link.advance(to: milliseconds(300))
    #expect(link.propagating(gone) == 2 * Self.packet)
    #expect(link.discard(gone, at: milliseconds(300)) == 2 * Self.packet)
    let arrivals = link.advance(to: milliseconds(2_000)).arrivals
    #expect(arrivals.map(\.lane) == [other, other])
    #expect(arrivals.map(\.at) == [646, 792].map(milliseconds))
  }

  @Test func `a lane that is held lets its packet go and then waits`() {
    var link = LinkDirection(Self.slow)
    let (held, other) = (link.openLane(), link.openLane())
    link.offer(3 * Self.packet, on: held, at: .zero)
    link.offer(2 * Self.packet, on: other, at: .zero)
    link.setHeld(true, lane: held, at: .zero)
    let first = link.advance(to: milliseconds(1_000))
    #expect(first.departures.map(\.lane) == [held, other, other])
    #expect(link.nextEvent == nil && link.queued(held) == 2 * Self.packet)
    link.offer(Self.packet, on: held, at: milliseconds(1_000))
    #expect(link.nextEvent == nil)
    link.setHeld(false, lane: held, at: milliseconds(1_000))
    let second = link.advance(to: milliseconds(2_000))
    #expect(second.arrivals.map(\.at) == [1_073, 1_146, 1_219].map(milliseconds))
  }

  @Test func `holding and letting go in the middle of a packet doubles nothing`() {
    var link = LinkDirection(Self.slow)
    let lane = link.openLane()
    link.offer(2 * Self.packet, on: lane, at: .zero)
    for time in 0..<50 {
      _ = link.advance(to: milliseconds(time))
      link.setHeld(time % 2 == 0, lane: lane, at: milliseconds(time))
    }
    let progress = link.advance(to: milliseconds(1_000))
    #expect(progress.arrivals.map(\.at) == [73, 146].map(milliseconds))
  }

  @Test func `an unlimited link takes the latency alone`() {
    var link = LinkDirection(DirectionConditions(rate: .unlimited, latency: .milliseconds(40)))
    let (first, second) = (link.openLane(), link.openLane())
    link.offer(10_000_000, on: first, at: milliseconds(5))
    link.offer(7, on: second, at: milliseconds(5))
    link.offerEnd(of: first, at: milliseconds(5))
    let progress = link.advance(to: milliseconds(45))
    #expect(progress.arrivals.map(\.at) == [45, 45].map(milliseconds))
    #expect(progress.arrivals.map(\.bytes) == [10_000_000, 7])
    #expect(progress.arrivals.map(\.isEnd) == [true, false])
    #expect(progress.departures.map(\.lane) == [first, second])
  }

  @Test func `nothing crosses an offline link, not even an end`() {
    var link = LinkDirection(DirectionConditions(rate: .offline))
    let (full, empty) = (link.openLane(), link.openLane())
    link.offer(5_000, on: full, at: .zero)
    link.offerEnd(of: full, at: .zero)
    link.offerEnd(of: empty, at: .zero)
    #expect(link.nextEvent == nil)
    let progress = link.advance(to: .distantFuture)
    #expect(progress.departures.isEmpty && progress.arrivals == [])
    #expect(link.discard(full, at: .zero) == 5_000)
  }

  @Test func `a lane that was discarded takes nothing more`() {
    var link = LinkDirection(Self.slow)
    let lane = link.openLane()
    _ = link.discard(lane, at: .zero)
    link.offer(100, on: lane, at: .zero)
    link.offerEnd(of: lane, at: .zero)
    link.setHeld(false, lane: lane, at: .zero)
    #expect(link.nextEvent == nil && link.queued(lane) == 0 && link.propagating(lane) == 0)
  }

  @Test func `ends that wait for an offline link are forgotten with their connections`() {
    var link = LinkDirection(DirectionConditions(rate: .offline))
    for _ in 0..<1_000 {
      let lane = link.openLane()
      link.offerEnd(of: lane, at: .zero)
      _ = link.discard(lane, at: .zero)
    }
    let kept = link.openLane()
    link.offerEnd(of: kept, at: .zero)
    #expect(link.lateEnds.count <= 4)
    #expect(link.lateEnds.last == kept)
  }
}
