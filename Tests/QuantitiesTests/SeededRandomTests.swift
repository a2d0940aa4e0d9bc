import Quantities
import Testing

@Suite struct SeededRandomTests {
  @Test func `the stream is SplitMix64`() {
    // The reference implementation's first outputs for the seed 1234567.
    var random = SeededRandom(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `a fork is the same whatever was drawn before it`() {
    var used = SeededRandom(seed: 7)
    for _ in 0..<100 { _ = used.next() }
    var early = SeededRandom(seed: 7).fork("faults")
    var late = used.fork("faults")
    #expect((0..<50).map { _ in early.next() } == (0..<50).map { _ in late.next() })
  }

  @Test func `drawing from a fork disturbs nothing`() {
    var plain = SeededRandom(seed: 7)
    var forking = SeededRandom(seed: 7)
    for _ in 0..<50 {
      var fork = forking.fork("noise")
      _ = fork.next()
      #expect(plain.next() == forking.next())
    }
  }

  @Test func `forks of other names and seeds share no number`() {
    var seen: Set<UInt64> = []
    var drawn = 0
    for seed in 0..<20 as Range<UInt64> {
      let root = SeededRandom(seed: seed)
      for fork in [root.fork("a"), root.fork("b"), root.fork(""), root.fork("a").fork("b")] {
        var fork = fork
        for _ in 0..<100 { seen.insert(fork.next()) }
        drawn += 100
      }
    }
    #expect(seen.count == drawn)
  }
}
