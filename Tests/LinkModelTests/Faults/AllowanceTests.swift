import LinkModel
import Quantities
import Testing

@Suite struct AllowanceTests {
  static let packet = LinkDirection.packetBytes

  /// One packet each 73 ms, a latency of 100 ms.
  private func slowLink() -> LinkDirection {
    LinkDirection(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(100)))
  }

  @Test(arguments: [
    DirectionConditions(rate: .unlimited), DirectionConditions(rate: .limited(.kilobytes(20))),
  ])
  func `exactly so many bytes leave as are allowed`(conditions: DirectionConditions) {
    for allowed in [1, 1_459, 1_460, 1_461, 10_000] {
      var link = LinkDirection(conditions)
      let lane = link.openLane()
      link.allow(allowed, on: lane, at: .zero)
      link.offer(50_000, on: lane, at: .zero)
      link.offerEnd(of: lane, at: .zero)
      let arrivals = link.advance(to: .distantFuture).arrivals
      #expect(arrivals.reduce(0) { $0 + $1.bytes } == allowed)
      #expect(arrivals.allSatisfy { !$0.isEnd })
      #expect(link.nextEvent == nil && link.queued(lane) == 50_000 - allowed)
    }
  }

  @Test func `what is allowed later goes on at the pace of the link, without a burst`() {
    var link = slowLink()
    let lane = link.openLane()
    link.allow(2 * Self.packet, on: lane, at: .zero)
    link.offer(5 * Self.packet, on: lane, at: .zero)
    _ = link.advance(to: Instant(seconds: 100))
    link.allow(nil, on: lane, at: Instant(seconds: 100))
    let arrivals = link.advance(to: .distantFuture).arrivals
    #expect(
      arrivals.map(\.at) == [173, 246, 319].map { Instant(seconds: 100) + .milliseconds($0) })
  }

  @Test func `a lane that may send nothing takes no turn from the others`() {
    var link = slowLink()
    let (stuck, free) = (link.openLane(), link.openLane())
    link.allow(Self.packet, on: stuck, at: .zero)
    link.offer(20 * Self.packet, on: stuck, at: .zero)
    link.offer(3 * Self.packet, on: free, at: .zero)
    let arrivals = link.advance(to: .distantFuture).arrivals
    #expect(arrivals.map(\.lane) == [stuck, free, free, free])
    #expect(arrivals.last?.at == .zero + .milliseconds(4 * 73 + 100))
  }

  @Test func `a packet in service leaves although nothing more may`() {
    var link = slowLink()
    let lane = link.openLane()
    link.offer(3 * Self.packet, on: lane, at: .zero)
    link.allow(0, on: lane, at: .zero + .milliseconds(10))
    #expect(link.advance(to: .distantFuture).arrivals.map(\.bytes) == [Self.packet])
    #expect(link.queued(lane) == 2 * Self.packet)
    #expect(link.discard(lane, at: Instant(seconds: 9)) == 2 * Self.packet)
  }
}
