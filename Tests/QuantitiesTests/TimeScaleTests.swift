import Quantities
import Testing

@Suite struct TimeScaleTests {
  static let factors = [1, 60, 10, 0.5, 1.1, 59.94, 1.0 / 3, 1_000]

  @Test func `link time runs at the factor from the epoch on`() {
    let scale = TimeScale(epoch: 5_000, factor: 60)
    #expect(scale.link(monotonic: 5_000) == .zero)
    #expect(scale.link(monotonic: 5_001) == Instant(nanoseconds: 60))
    #expect(scale.link(monotonic: 4_999) == Instant(nanoseconds: -60))
    #expect(scale.monotonic(Instant(nanoseconds: 60)) == 5_001)
    #expect(scale.monotonic(Instant(nanoseconds: 61)) == 5_002)
    #expect(scale.monotonic(.zero) == 5_000)
  }

  @Test(arguments: factors)
  func `a clock reading for a link time is never early, and at most a nanosecond late`(
    factor: Double
  ) {
    var random = SeededRandom(seed: 1)
    for _ in 0..<5_000 {
      // Up to an hour of link time, some time after the machine was started.
      let scale = TimeScale(
        epoch: .random(in: 0..<1_000_000_000_000_000, using: &random), factor: factor)
      let instant = Instant(nanoseconds: .random(in: 0..<3_600_000_000_000, using: &random))
      let reading = scale.monotonic(instant)
      #expect(scale.link(monotonic: reading) >= instant)
      #expect(scale.link(monotonic: reading - 2) < instant)
    }
  }

  @Test(arguments: factors)
  func `the ends of time stay ends`(factor: Double) {
    let scale = TimeScale(epoch: 1_000_000_000, factor: factor)
    #expect(scale.monotonic(.distantFuture) == .max)
    #expect(scale.monotonic(Instant(nanoseconds: .max - 1)) > 1_000_000_000)
    #expect(scale.link(monotonic: .max) > Instant(seconds: 1e9))
    #expect(scale.link(monotonic: 0) < .zero)
  }
}
