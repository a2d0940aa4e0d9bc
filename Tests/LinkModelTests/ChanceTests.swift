import LinkModel
import Quantities
import Testing

/// What chance does to the way of a packet.
@Suite struct ChanceTests {
  static let packet = LinkDirection.packetBytes

  /// Packets of two lanes, and when each left and arrived.
  private func run(
    jitter: Duration = .zero, loss: Loss? = nil, seed: UInt64 = 1,
    rate: Pace = .limited(.kilobytes(20))
  ) -> [LinkDirection.Arrival] {
    var link = LinkDirection(
      DirectionConditions(
        rate: rate, latency: .milliseconds(100), jitter: jitter, loss: loss),
      random: SeededRandom(seed: seed))
    for _ in 0..<2 {
      let lane = link.openLane()
      link.offer(1_000 * Self.packet, on: lane, at: .zero)
      link.offerEnd(of: lane, at: .zero)
    }
    return link.advance(to: .distantFuture).arrivals
  }

  @Test func `a ratio of zero is no loss, byte for byte and instant for instant`() {
    let none = Loss(ratio: 0, stall: .seconds(1))
    #expect(run(loss: none) == run())
    #expect(run(loss: none, rate: .unlimited) == run(rate: .unlimited))
    #expect(run(jitter: .milliseconds(30), loss: none) == run(jitter: .milliseconds(30)))
  }

  @Test func `the same seed gives the same instants, and another one others`() {
    let loss = Loss(ratio: 0.1, stall: .milliseconds(400))
    #expect(
      run(jitter: .milliseconds(30), loss: loss) == run(jitter: .milliseconds(30), loss: loss))
    #expect(run(jitter: .milliseconds(30)) != run(jitter: .milliseconds(30), seed: 2))
    #expect(run(loss: loss) != run(loss: loss, seed: 2))
  }

  @Test(arguments: [Duration.milliseconds(30), .milliseconds(90), .milliseconds(500)])
  func `jitter stays around the latency, lets nothing overtake on a lane, and nothing come early`(
    jitter: Duration
  ) throws {
    let plain = run()
    let shaken = run(jitter: jitter)
    for lane in Set(plain.map(\.lane)) {
      let (before, after) = (plain.filter { $0.lane == lane }, shaken.filter { $0.lane == lane })
      #expect(before.map(\.bytes) == after.map(\.bytes) && after.last?.isEnd == true)
      #expect(zip(after, after.dropFirst()).allSatisfy { $0.at <= $1.at })
      for (one, other) in zip(before, after) {
        let left = one.at.advanced(by: .zero - .milliseconds(100))
        #expect(other.at >= left && other.at >= one.at.advanced(by: .zero - jitter))
        #expect(other.at <= one.at.advanced(by: jitter))
      }
    }
    #expect(Set(zip(plain, shaken).map { $1.at - $0.at }).count > 1_000)
  }

  @Test func `jitter is as often early as late, where nothing holds anything up`() {
    // A packet each 73 ms, and 20 ms either way: none waits for another.
    let (plain, shaken) = (run(), run(jitter: .milliseconds(20)))
    let mean = zip(plain, shaken).map { ($1.at - $0.at).inSeconds }.reduce(0, +) / 2_000
    #expect(abs(mean) < 0.001)
  }

  @Test func `a lost packet arrives a stall late, holds up its own lane alone, and takes no bytes`()
  {
    let loss = Loss(ratio: 0.02, stall: .milliseconds(400))
    let (plain, lossy) = (run(), run(loss: loss))
    #expect(lossy.reduce(0) { $0 + $1.bytes } == 2_000 * Self.packet)
    for lane in Set(plain.map(\.lane)) {
      let (before, after) = (plain.filter { $0.lane == lane }, lossy.filter { $0.lane == lane })
      let late = zip(before, after).map { $1.at - $0.at }
      // Of 1,000 about 20 are lost; those behind them wait at most as long as they do.
      #expect((8...40).contains(late.count { $0 == loss.stall }))
      #expect(late.allSatisfy { $0 >= .zero && $0 <= loss.stall + loss.stall + loss.stall })
      #expect(late.count { $0 == .zero } > 800)
    }
  }

  @Test func `a packet lost again is late by twice as much again`() {
    let late = zip(run(), run(loss: Loss(ratio: 0.5, stall: .milliseconds(10)))).map {
      $1.at - $0.at
    }
    let stalls = [0, 10, 30, 70].map { Duration.milliseconds($0) }
    for stall in stalls { #expect(late.contains(stall)) }
  }

  @Test func `the stall is a round trip and 200 ms`() {
    #expect(Loss.stall(roundTrip: .milliseconds(200)) == .milliseconds(400))
  }
}
