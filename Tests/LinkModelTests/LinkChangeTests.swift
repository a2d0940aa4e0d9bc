import LinkModel
import Quantities
import Testing

/// A direction whose conditions change, by themselves or because others are put in force.
@Suite struct LinkChangeTests {
  static let packet = LinkDirection.packetBytes

  private func milliseconds(_ count: Int) -> Instant { .zero + .milliseconds(count) }

  private func outage(at start: Int, for length: Int) -> Outage {
    Outage(at: milliseconds(start), duration: .milliseconds(length))
  }

  private func slow(outages: [Outage] = [], latency: Duration = .zero) -> DirectionConditions {
    DirectionConditions(rate: .limited(.kilobytes(20)), outages: outages, latency: latency)
  }

  @Test func `an outage delays bytes, keeps what was served of a packet, and earns no burst`() {
    var link = LinkDirection(slow(outages: [outage(at: 100, for: 1_000)]))
    let lane = link.openLane()
    link.offer(4 * Self.packet, on: lane, at: .zero)
    let arrivals = link.advance(to: milliseconds(5_000)).arrivals
    // The second packet had 27 of its 73 ms.
    #expect(arrivals.map(\.at) == [73, 1_146, 1_219, 1_292].map(milliseconds))
  }

  @Test func `bytes that have left before an outage arrive in it`() {
    var link = LinkDirection(
      slow(outages: [outage(at: 100, for: 1_000)], latency: .milliseconds(300)))
    let lane = link.openLane()
    link.offer(2 * Self.packet, on: lane, at: .zero)
    #expect(link.advance(to: milliseconds(999)).arrivals.map(\.at) == [milliseconds(373)])
    #expect(link.advance(to: milliseconds(5_000)).arrivals.map(\.at) == [milliseconds(1_446)])
  }

  @Test func `what is offered in an outage starts at its end`() {
    var link = LinkDirection(slow(outages: [outage(at: 100, for: 1_000)]))
    let (first, second) = (link.openLane(), link.openLane())
    link.offer(Self.packet, on: first, at: milliseconds(200))
    link.offer(2 * Self.packet, on: second, at: milliseconds(500))
    let arrivals = link.advance(to: milliseconds(5_000)).arrivals
    #expect(arrivals.map(\.lane) == [first, second, second])
    #expect(arrivals.map(\.at) == [1_173, 1_246, 1_319].map(milliseconds))
  }

  @Test func `an end without bytes waits for the end of the outage, and no longer`() {
    var link = LinkDirection(
      slow(outages: [outage(at: 100, for: 1_000)], latency: .milliseconds(50)))
    let (empty, busy, gone) = (link.openLane(), link.openLane(), link.openLane())
    link.offer(3 * Self.packet, on: busy, at: milliseconds(100))
    link.offerEnd(of: busy, at: milliseconds(100))
    link.offerEnd(of: empty, at: milliseconds(100))
    link.offerEnd(of: gone, at: milliseconds(100))
    _ = link.discard(gone, at: milliseconds(200))
    #expect(link.nextEvent == milliseconds(1_100))
    let arrivals = link.advance(to: milliseconds(5_000)).arrivals
    #expect(arrivals.map(\.lane) == [empty, busy, busy, busy])
    #expect(arrivals.map(\.at) == [1_150, 1_223, 1_296, 1_369].map(milliseconds))
    #expect(arrivals.map(\.isEnd) == [true, false, false, true])
  }

  @Test func `offline for good an end waits for other conditions`() {
    var link = LinkDirection(DirectionConditions(rate: .offline))
    let (empty, full) = (link.openLane(), link.openLane())
    link.offer(Self.packet, on: full, at: .zero)
    link.offerEnd(of: empty, at: .zero)
    #expect(link.nextEvent == nil)
    link.change(to: slow(), at: milliseconds(1_000))
    #expect(link.nextEvent == milliseconds(1_000))
    let arrivals = link.advance(to: milliseconds(5_000)).arrivals
    #expect(arrivals.map(\.lane) == [empty, full])
    #expect(arrivals.map(\.at) == [1_000, 1_073].map(milliseconds))
  }

  @Test func `a step changes the rate in the middle of a packet`() {
    var link = LinkDirection(
      DirectionConditions(
        rate: .steps([
          RateStep(at: .zero, rate: .limited(.kilobytes(20))),
          RateStep(at: milliseconds(100), rate: .limited(.kilobytes(5))),
          RateStep(at: milliseconds(1_000), rate: .unlimited),
        ])))
    let lane = link.openLane()
    link.offer(100 * Self.packet, on: lane, at: .zero)
    let arrivals = link.advance(to: milliseconds(5_000)).arrivals
    // 27 ms of the second packet at 20 KB/s, and the other 46 ms four times as long.
    #expect(arrivals.prefix(4).map(\.at) == [73, 284, 576, 868].map(milliseconds))
    #expect(arrivals.dropFirst(4).allSatisfy { $0.at == milliseconds(1_000) })
    #expect(arrivals.map(\.bytes).reduce(0, +) == 100 * Self.packet)
  }

  @Test func `another rate goes on with the rest of the packet in service`() {
    var link = LinkDirection(slow())
    let lane = link.openLane()
    link.offer(3 * Self.packet, on: lane, at: .zero)
    _ = link.advance(to: milliseconds(100))
    link.change(
      to: DirectionConditions(rate: .limited(.kilobytes(40))), at: milliseconds(100))
    let progress = link.advance(to: milliseconds(1_000))
    #expect(progress.arrivals.map(\.at) == [123_000, 159_500].map { .zero + .microseconds($0) })
  }

  @Test func `unlimited lets everything go at once, offline stops it where it is`() {
    var link = LinkDirection(slow())
    let (first, second) = (link.openLane(), link.openLane())
    link.offer(30 * Self.packet, on: first, at: .zero)
    link.offer(30 * Self.packet, on: second, at: .zero)
    _ = link.advance(to: milliseconds(80))
    link.change(to: DirectionConditions(rate: .offline), at: milliseconds(80))
    #expect(link.nextEvent == nil && link.advance(to: milliseconds(9_000)).isEmpty)
    link.change(to: DirectionConditions(rate: .unlimited), at: milliseconds(9_000))
    let arrivals = link.advance(to: milliseconds(9_000)).arrivals
    #expect(arrivals.map(\.bytes).reduce(0, +) == 59 * Self.packet)
    #expect(link.nextEvent == nil)
  }

  @Test func `a shorter latency lets nothing overtake on a lane`() {
    var link = LinkDirection(slow(latency: .milliseconds(1_000)))
    let (first, second) = (link.openLane(), link.openLane())
    link.offer(2 * Self.packet, on: first, at: .zero)
    _ = link.advance(to: milliseconds(100))
    link.offer(Self.packet, on: second, at: milliseconds(100))
    link.change(to: slow(), at: milliseconds(100))
    let arrivals = link.advance(to: milliseconds(5_000)).arrivals
    #expect(arrivals.map(\.lane) == [second, first, first])
    #expect(arrivals.map(\.at) == [219, 1_073, 1_073].map(milliseconds))
  }

  /// Conditions set anew, some of them different for an instant, at times that are no whole number
  /// of packets: whoever sets them to what they were has changed nothing.
  @Test(arguments: [20_000, 61_399, 7_000.5])
  func `the same rate again, each 0.2 s, changes nothing at all`(rate: Double) {
    let same = DirectionConditions(
      rate: .limited(DataRate(bytesPerSecond: rate)), latency: .milliseconds(100))
    func run(_ disturb: (inout LinkDirection, Instant) -> Void) -> [LinkDirection.Arrival] {
      var link = LinkDirection(same)
      let lanes = [link.openLane(), link.openLane()]
      for lane in lanes { link.offer(1_000 * Self.packet, on: lane, at: .zero) }
      var arrivals: [LinkDirection.Arrival] = []
      for tick in 0...300 {
        let now = milliseconds(200 * tick)
        arrivals += link.advance(to: now).arrivals
        disturb(&link, now)
      }
      return arrivals + link.advance(to: .distantFuture).arrivals
    }
    let alone = run { _, _ in }
    #expect(alone.count == 2_000)
    #expect(run { link, now in link.change(to: same, at: now) } == alone)
    let detour = run { link, now in
      link.change(to: DirectionConditions(rate: .offline), at: now)
      link.change(to: same, at: now)
    }
    #expect(detour == alone)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `however conditions change, carried is what the rates allow and no packet more`(
    seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    let rates: [LinkRate] = [
      .limited(.kilobytes(20)), .limited(DataRate(bytesPerSecond: 61_399)), .offline,
      .limited(DataRate(bytesPerSecond: 933.3)),
    ]
    var rate = rates[0]
    var link = LinkDirection(DirectionConditions(rate: .constant(rate)))
    let lanes = (0..<3).map { _ in link.openLane() }
    for lane in lanes { link.offer(1_000_000_000, on: lane, at: .zero) }
    var (now, carried, allowed) = (Instant.zero, 0, 0.0)
    for _ in 0..<2_000 {
      let pause = Duration.microseconds(Int.random(in: 0...200_000, using: &random))
      allowed += (rate.limit?.bytesPerSecond ?? 0) * pause.inSeconds
      now = now + pause
      carried += link.advance(to: now).arrivals.reduce(0) { $0 + $1.bytes }
      #expect(Double(carried) <= allowed + 0.01 && Double(carried) > allowed - 1_460.01)
      rate = rates[Int.random(in: 0..<4, using: &random)]
      link.change(to: DirectionConditions(rate: .constant(rate)), at: now)
    }
  }
}
