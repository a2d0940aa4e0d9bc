import LinkModel
import Quantities
import Testing

/// Each toxic alone: bytes in, flows and instants out, without a tolerance.
@Suite struct ToxicTests {
  private typealias Line = ToxicRun.Line

  @Test(arguments: [[], [ToxicKind.noop], [.noop, .noop]])
  func `without a toxic everything passes at once`(kinds: [ToxicKind]) {
    var run = ToxicRun(toxics: kinds.enumerated().map { Toxic($0.offset, $0.element) })
    run.advance(to: 5)
    run.offer(100)
    run.offer(0)
    run.offerEnd()
    #expect(run.lines == [Line(5, .bytes(100)), Line(5, .end)])
    #expect(run.chain.nextEvent == nil)
    #expect(run.chain.room == .max)
  }

  @Test func `latency counts from when a chunk came in, and does not hold the end`() {
    var run = ToxicRun(.latency(100))
    run.offer(10)
    run.advance(to: 30)
    run.offer(20)
    run.offerEnd()
    run.finish()
    #expect(run.lines == [Line(100, .bytes(10)), Line(130, .bytes(20)), Line(130, .end)])
    run = ToxicRun(.latency(100))
    run.offerEnd()
    #expect(run.lines == [Line(0, .end)])
  }

  @Test func `two latencies add up`() {
    var run = ToxicRun(.latency(100), .latency(50))
    run.offer(10)
    run.finish()
    #expect(run.lines == [Line(150, .bytes(10))])
  }

  @Test func `a late caller does not lengthen what two latencies add up to`() {
    var chain = ToxicChain(
      [Toxic(1, .latency(100)), Toxic(2, .latency(50))], random: SeededRandom(seed: 1), at: .zero)
    chain.offer(10, at: .zero)
    #expect(chain.advance(to: Instant(seconds: 0.12)) == [])
    #expect(chain.nextEvent == Instant(seconds: 0.15))
    #expect(chain.advance(to: Instant(seconds: 0.9)) == [.bytes(10)])
  }

  @Test func `jitter stays in its range, keeps the order, and is the same again from its seed`() {
    func delays(seed: UInt64) -> [Double] {
      (0..<200).map { number in
        var run = ToxicRun(.latency(100, jitter: 40), seed: seed + UInt64(number))
        run.offer(1)
        run.finish()
        return run.lines[0].at
      }
    }
    let first = delays(seed: 7)
    #expect(first.allSatisfy { (60...140).contains($0) })
    #expect(first.contains { $0 < 70 } && first.contains { $0 > 130 })
    #expect(abs(first.reduce(0, +) / 200 - 100) < 5)
    #expect(first == delays(seed: 7))
    var run = ToxicRun(.latency(50, jitter: 50))
    for size in 1...100 { run.offer(size) }
    run.finish()
    #expect(run.lines.map(\.flow) == (1...100).map { .bytes($0) })
    #expect(run.lines.map(\.at) == run.lines.map(\.at).sorted())
  }

  @Test func `a jitter above the latency delays by nothing at the least`() {
    for seed in 0..<50 {
      var run = ToxicRun(.latency(1, jitter: 1_000), seed: UInt64(seed))
      run.offer(1)
      run.finish()
      #expect((0...1_001).contains(run.lines[0].at))
    }
  }

  @Test func `latency says when it holds all that it may`() {
    var run = ToxicRun(.latency(1_000))
    run.offer(10_000_000)
    #expect(run.chain.room == 6_000_000)
    run.offer(6_000_000)
    #expect(run.chain.room == 0)
    run.finish()
    #expect(run.passed == 16_000_000)
    #expect(run.chain.room == 16_000_000)
    for _ in 0..<65_536 { run.offer(1) }
    #expect(run.chain.room == 0)
  }

  @Test func `bandwidth lets the n-th byte out at n divided by the rate, packet by packet`() {
    var run = ToxicRun(.bandwidth(20))
    run.offer(3_000)
    run.offerEnd()
    run.finish()
    #expect(
      run.lines == [
        Line(73, .bytes(1_460)), Line(146, .bytes(1_460)), Line(150, .bytes(80)), Line(150, .end),
      ])
  }

  @Test(arguments: [1, 20, 61.4, 0.3, 12_345.678])
  func `the rate is exact over the long run, whoever comes late`(kilobytes: Double) {
    var chain = ToxicChain(
      [Toxic(1, .bandwidth(kilobytes))], random: SeededRandom(seed: 1), at: .zero)
    var random = SeededRandom(seed: 2)
    var now = Instant.zero
    var (offered, passed) = (0, 0)
    while passed < 2_000_000 {
      for case .bytes(let count) in chain.advance(to: now) { passed += count }
      let exact = now.seconds * kilobytes * 1_000
      #expect(Double(passed) <= exact + 0.001 && Double(passed) > exact - 1_461)
      while chain.room > 0 {
        chain.offer(min(chain.room, 7_777), at: now)
        offered += min(chain.room, 7_777)
      }
      let late = Duration.seconds(exactly: 30 * random.fraction() / kilobytes)
      now = max(now, chain.nextEvent ?? now) + late
    }
    #expect(offered > 0)
  }

  @Test func `idle time earns no burst`() {
    var run = ToxicRun(.bandwidth(10))
    run.advance(to: 60_000)
    run.offer(1_000)
    run.advance(to: 90_000)
    run.offer(1_000)
    run.finish()
    #expect(run.lines == [Line(60_100, .bytes(1_000)), Line(90_100, .bytes(1_000))])
  }

  @Test func `bandwidth says when its queue is full`() {
    var run = ToxicRun(.bandwidth(1.46))
    run.offer(64_000)
    #expect(run.chain.room == 0)
    run.advance(to: 1_000)
    #expect(run.chain.room == 1_460)
    #expect(ToxicRun(.bandwidth(100_000)).chain.room == 1_000_000)
    #expect(ToxicRun(.bandwidth(1e12)).chain.room == 4_000_000)
  }

  @Test func `at rate zero nothing leaves until the rate changes`() {
    var run = ToxicRun(.bandwidth(0))
    run.offer(1_460)
    run.advance(to: 10_000)
    #expect(run.lines == [])
    #expect(run.chain.nextEvent == nil)
    run.change(to: [Toxic(0, .bandwidth(14.6))])
    run.finish()
    #expect(run.lines == [Line(10_100, .bytes(1_460))])
  }

  @Test func `slow close holds the end alone`() {
    var run = ToxicRun(.slowClose(200))
    run.offer(10)
    run.advance(to: 50)
    run.offerEnd()
    run.finish()
    #expect(run.lines == [Line(0, .bytes(10)), Line(250, .end)])
  }

  @Test func `a timeout swallows, and closes once no data has come for its time`() {
    var run = ToxicRun(.timeout(100))
    run.advance(to: 90)
    run.offer(10)
    run.advance(to: 180)
    run.offer(20)
    run.finish()
    #expect(run.lines == [Line(90, .dropped(10)), Line(180, .dropped(20)), Line(280, .close)])
  }

  @Test func `a timeout of zero never closes, but the end of the source does`() {
    var run = ToxicRun(.timeout(0))
    run.offer(10)
    run.advance(to: 1_000_000)
    run.offerEnd()
    run.finish()
    #expect(run.lines == [Line(0, .dropped(10)), Line(1_000_000, .close)])
  }

  @Test func `a reset comes a time after the first data, and never before any`() {
    var run = ToxicRun(.resetPeer(100))
    run.advance(to: 5_000)
    run.offer(10)
    run.advance(to: 5_050)
    run.offer(20)
    run.finish()
    #expect(
      run.lines == [Line(5_000, .dropped(10)), Line(5_050, .dropped(20)), Line(5_100, .reset)])
    run = ToxicRun(.resetPeer(0))
    run.offerEnd()
    run.finish()
    #expect(run.lines == [Line(0, .reset)])
  }

  @Test func `limited data passes to the byte, and then the connection closes`() {
    var run = ToxicRun(.limitData(10_000))
    run.offer(9_999)
    run.offer(5_000)
    run.offer(1)
    run.offerEnd()
    run.finish()
    #expect(
      run.lines.map(\.flow) == [
        .bytes(9_999), .bytes(1), .dropped(4_999), .close, .dropped(1),
      ])
    run = ToxicRun(.limitData(100))
    run.offer(100)
    #expect(run.lines.map(\.flow) == [.bytes(100), .close])
    run = ToxicRun(.limitData(0))
    #expect(run.chain.nextEvent == nil)
    run.offer(1)
    #expect(run.lines.map(\.flow) == [.dropped(1), .close])
    run = ToxicRun(.limitData(100))
    run.offer(99)
    run.offerEnd()
    #expect(run.lines.map(\.flow) == [.bytes(99), .end])
  }

  @Test func `the slicer halves until a piece is small enough, with a time after each`() {
    var run = ToxicRun(
      .slicer(SlicerToxic(averageSize: 30, delay: .milliseconds(10))))
    run.offer(100)
    run.offerEnd()
    run.finish()
    #expect(
      run.lines == [
        Line(0, .bytes(25)), Line(10, .bytes(25)), Line(20, .bytes(25)), Line(30, .bytes(25)),
        Line(40, .end),
      ])
  }

  @Test(arguments: [(1, 0), (1, 5), (10, 3), (64, 64), (1_000, 1), (100, 100_000)])
  func `slices are no larger than the average and the variation, and lose nothing`(
    average: Int, variation: Int
  ) {
    for seed in 0..<20 {
      var run = ToxicRun(
        .slicer(SlicerToxic(averageSize: average, sizeVariation: variation)), seed: UInt64(seed))
      for size in [1, 2, 3, 1_000, 7_777] { run.offer(size) }
      run.finish()
      #expect(run.passed == 8_783)
      for case .bytes(let count) in run.lines.map(\.flow) {
        #expect(count > 0 && count <= average + variation)
      }
    }
  }

  @Test func `settings of any size do not end the program`() {
    let never = Duration.nanoseconds(Int64.max)
    for kind: ToxicKind in [
      .latency(LatencyToxic(latency: never, jitter: never)),
      .slicer(SlicerToxic(averageSize: .max, sizeVariation: .max, delay: never)),
      .slicer(SlicerToxic(averageSize: 1, sizeVariation: .max, delay: never)),
      .slicer(SlicerToxic(averageSize: 0)),
      .limitData(.max), .timeout(TimeoutToxic(timeout: never)),
      .resetPeer(ResetPeerToxic(timeout: never)), .slowClose(SlowCloseToxic(delay: never)),
      .bandwidth(BandwidthToxic(rate: DataRate(bytesPerSecond: 1e-300))),
      .bandwidth(BandwidthToxic(rate: DataRate(bytesPerSecond: 1e300))),
    ] {
      var run = ToxicRun(kind)
      run.offer(64_000)
      run.offerEnd()
      run.advance(to: 1_000_000)
      run.change(to: [])
      run.offer(1)
      run.finish()
      #expect(run.passed + run.dropped == 64_001)
    }
  }
}
