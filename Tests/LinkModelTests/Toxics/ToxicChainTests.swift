import LinkModel
import Quantities
import Testing

/// Toxics in a row, and what changes while bytes are under way.
@Suite struct ToxicChainTests {
  private typealias Line = ToxicRun.Line

  @Test func `toxics act in the order in which they were added`() {
    var run = ToxicRun(.limitData(2_000), .bandwidth(20))
    run.offer(5_000)
    run.finish()
    #expect(
      run.lines == [
        Line(73, .bytes(1_460)), Line(100, .bytes(540)), Line(100, .dropped(3_000)),
        Line(100, .close),
      ])
    run = ToxicRun(.bandwidth(20), .latency(100))
    run.offer(2_000)
    run.offerEnd()
    run.finish()
    #expect(run.lines == [Line(173, .bytes(1_460)), Line(200, .bytes(540)), Line(200, .end)])
  }

  @Test(arguments: [1_000, 200, 50, 7])
  func `setting the same bandwidth again changes nothing at all`(every: Int) {
    var (again, once) = (ToxicRun(.bandwidth(20)), ToxicRun(.bandwidth(20)))
    for step in 0..<(20_000 / every) {
      again.advance(to: Double(step * every))
      once.advance(to: Double(step * every))
      while again.chain.room > 0 {
        again.offer(8_000)
        once.offer(8_000)
      }
      again.change(to: [Toxic(0, .bandwidth(20))])
    }
    #expect(again.lines == once.lines)
    #expect(again.passed > 370_000)
  }

  @Test(arguments: [
    ToxicKind.latency(100, jitter: 50), .slowClose(300), .timeout(100), .timeout(0),
    .resetPeer(100), .limitData(1_000), .noop,
    .slicer(SlicerToxic(averageSize: 64, sizeVariation: 16, delay: .milliseconds(2))),
  ])
  func `setting any toxic as it is changes nothing`(kind: ToxicKind) {
    var (again, once) = (ToxicRun(kind), ToxicRun(kind))
    for step in 0..<20 {
      for size in [step + 1, 200] {
        again.offer(size)
        once.offer(size)
      }
      again.advance(to: Double(step * 37))
      once.advance(to: Double(step * 37))
      again.change(to: [Toxic(0, kind)])
    }
    again.offerEnd()
    once.offerEnd()
    again.finish()
    once.finish()
    #expect(again.lines == once.lines)
  }

  @Test func `a new bandwidth serves the rest of the packet that is under way`() {
    var run = ToxicRun(.bandwidth(14.6))
    run.offer(2_920)
    run.advance(to: 50)
    run.change(to: [Toxic(0, .bandwidth(1.46))])
    run.advance(to: 300)
    // 730 bytes at 14.6 KB/s, 365 at 1.46 KB/s, and so 365 are left.
    run.change(to: [Toxic(0, .bandwidth(0))])
    run.advance(to: 10_000)
    #expect(run.lines == [])
    run.change(to: [Toxic(0, .bandwidth(3.65))])
    run.finish()
    #expect(run.lines == [Line(10_100, .bytes(1_460)), Line(10_500, .bytes(1_460))])
  }

  @Test func `a toxic that goes passes what it holds to the next, in order and at once`() {
    var run = ToxicRun(.latency(100), .bandwidth(1), .latency(10))
    run.offer(1_000)
    run.advance(to: 50)
    run.offer(2_000)
    run.offerEnd()
    run.change(to: [Toxic(1, .bandwidth(1)), Toxic(2, .latency(10))])
    run.advance(to: 1_060)
    #expect(run.lines == [Line(1_060, .bytes(1_000))])
    run.change(to: [])
    #expect(
      run.lines.dropFirst().map(\.flow) == [.bytes(1_460), .bytes(540), .end])
    #expect(run.lines.last?.at == 1_060)
    run.offer(5)
    #expect(run.lines.last == Line(1_060, .bytes(5)))
  }

  @Test func `a changed latency counts for what is under way, from when it came in`() {
    var run = ToxicRun(.latency(1_000))
    run.offer(1)
    run.advance(to: 100)
    run.offer(2)
    run.change(to: [Toxic(0, .latency(150))])
    run.finish()
    #expect(run.lines == [Line(150, .bytes(1)), Line(250, .bytes(2))])
    run = ToxicRun(.latency(1_000))
    run.offer(1)
    run.advance(to: 100)
    run.change(to: [Toxic(0, .latency(10))])
    #expect(run.lines == [Line(100, .bytes(1))])
  }

  @Test func `removing a timeout closes the connection`() {
    var run = ToxicRun(.timeout(0))
    run.offer(10)
    run.advance(to: 10)
    run.change(to: [])
    #expect(run.lines == [Line(0, .dropped(10)), Line(10, .close)])
  }

  @Test func `taking a reset away that has begun brings it now, and one that has not, nothing`() {
    var run = ToxicRun(.resetPeer(1_000))
    run.advance(to: 10)
    run.change(to: [])
    run.offer(5)
    #expect(run.lines == [Line(10, .bytes(5))])
    run = ToxicRun(.resetPeer(1_000))
    run.offer(5)
    run.advance(to: 10)
    run.change(to: [])
    #expect(run.lines == [Line(0, .dropped(5)), Line(10, .reset)])
  }

  @Test func `what has passed counts for a changed limit`() {
    var run = ToxicRun(.limitData(100))
    run.offer(60)
    run.change(to: [Toxic(0, .limitData(80))])
    run.offer(60)
    #expect(run.lines.map(\.flow) == [.bytes(60), .bytes(20), .dropped(40), .close])
  }

  @Test func `toxicity is drawn once for a connection, and the draw is kept`() {
    var hit = 0
    for seed in 0..<2_000 {
      var run = ToxicRun(toxics: [Toxic(0, .timeout(0), toxicity: 0.3)], seed: UInt64(seed))
      run.offer(10)
      let isHit = run.dropped == 10
      if isHit { hit += 1 }
      for _ in 0..<3 {
        run.change(to: [Toxic(0, .timeout(0), toxicity: 0.3)])
        run.offer(10)
      }
      #expect(run.dropped == (isHit ? 40 : 0))
      run.change(to: [Toxic(0, .timeout(0), toxicity: 1)])
      run.offer(1)
      #expect(run.lines.last?.flow == .dropped(1))
      run.change(to: [Toxic(0, .timeout(0), toxicity: 0)])
      run.offer(1)
      #expect(run.lines.last?.flow == .bytes(1))
    }
    #expect((540...660).contains(hit), "\(hit) of 2,000 at 0.3")
  }

  @Test func `a toxicity of zero gives the flows of no toxic`() {
    for kind: ToxicKind in [
      .latency(100, jitter: 50), .bandwidth(1), .slowClose(100), .timeout(10), .resetPeer(0),
      .limitData(1),
    ] {
      var (none, zero) = (ToxicRun(), ToxicRun(toxics: [Toxic(1, kind, toxicity: 0)]))
      for size in [1, 5_000, 70] {
        none.offer(size)
        zero.offer(size)
      }
      none.offerEnd()
      zero.offerEnd()
      zero.finish()
      #expect(zero.lines == none.lines)
    }
  }

  /// Whatever is laid on, changed and taken away, each byte comes out once, as passed or dropped.
  @Test func `a random life of a chain loses no byte and repeats from its seed`() {
    func life(seed: UInt64) -> [ToxicFlow] {
      var random = SeededRandom(seed: seed)
      var run = ToxicRun(toxics: [], seed: seed)
      var toxics: [Toxic] = []
      var offered = 0
      for step in 0..<60 {
        switch random.whole(0...6) {
        case 0 where toxics.count < 5:
          toxics.append(
            Toxic(step, Self.kind(&random), toxicity: random.whole(0...1) == 0 ? 1 : 0.5))
          run.change(to: toxics)
        case 1 where !toxics.isEmpty:
          toxics.remove(at: random.whole(0...(toxics.count - 1)))
          run.change(to: toxics)
        case 2 where !toxics.isEmpty:
          let index = random.whole(0...(toxics.count - 1))
          toxics[index].toxicity = random.fraction()
          run.change(to: toxics)
        default:
          let bytes = random.whole(1...20_000)
          run.offer(bytes)
          offered += bytes
        }
        run.advance(to: run.now.seconds * 1e3 + Double(random.whole(0...300)))
      }
      run.offerEnd()
      run.change(to: [])
      run.finish()
      #expect(run.passed + run.dropped == offered, "seed \(seed)")
      #expect(run.lines.map(\.at) == run.lines.map(\.at).sorted())
      return run.lines.map(\.flow)
    }
    for seed in 0..<300 { #expect(life(seed: UInt64(seed)) == life(seed: UInt64(seed))) }
  }

  private static func kind(_ random: inout SeededRandom) -> ToxicKind {
    switch random.whole(0...7) {
    case 0: .latency(random.whole(0...500), jitter: random.whole(0...100))
    case 1: .bandwidth(Double(random.whole(0...50)))
    case 2: .slowClose(random.whole(0...500))
    case 3: .timeout(random.whole(0...500))
    case 4: .resetPeer(random.whole(0...500))
    case 5: .limitData(random.whole(0...50_000))
    case 6:
      .slicer(
        SlicerToxic(
          averageSize: random.whole(200...2_000), sizeVariation: random.whole(0...300),
          delay: .microseconds(random.whole(0...3_000))))
    default: .noop
    }
  }
}
