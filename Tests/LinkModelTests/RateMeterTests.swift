import LinkModel
import Quantities
import Testing

@Suite struct RateMeterTests {
  private func meter(_ packets: Int, period: Int = 1, from start: Instant = .zero) -> RateMeter {
    var meter = RateMeter()
    for index in 0..<packets {
      meter.add(1_460, busyPeriod: period, at: start + .milliseconds(73 * index))
    }
    return meter
  }

  @Test func `the rate is what followed the first packet over the time since it`() {
    #expect(meter(51).bytesPerSecond == 20_000)
    #expect(meter(51, from: Instant(seconds: 500)).bytesPerSecond == 20_000)
  }

  @Test func `too few packets say nothing`() {
    #expect(RateMeter().bytesPerSecond == nil)
    #expect(meter(50).bytesPerSecond == nil)
  }

  @Test func `the pause between busy periods does not count, nor does the first packet`() {
    var meter = meter(40)
    for index in 0..<40 {
      meter.add(1_460, busyPeriod: 2, at: Instant(seconds: 900) + .milliseconds(73 * index))
    }
    #expect(meter.bytesPerSecond == 20_000)
    #expect(meter.periods == 2)
  }

  @Test func `periods of one packet each never make a rate`() {
    var meter = RateMeter()
    for index in 1...200 {
      meter.add(1_460, busyPeriod: index, at: Instant(seconds: Double(index)))
    }
    #expect(meter.bytesPerSecond == nil)
    #expect(meter.periods == 0)
  }

  @Test func `an end without bytes changes nothing`() {
    var meter = meter(51)
    meter.add(0, busyPeriod: 1, at: Instant(seconds: 1_000))
    meter.add(0, busyPeriod: 9, at: Instant(seconds: 1_000))
    #expect(meter.bytesPerSecond == 20_000)
  }

  @Test func `packets that all came at one instant have no rate`() {
    var meter = RateMeter()
    for _ in 0..<100 { meter.add(1_460, busyPeriod: 1, at: .zero) }
    #expect(meter.bytesPerSecond == nil)
  }
}
