import LinkModel
import Quantities
import Testing

@Suite struct RateMeterTests {
  private static let schedule = DirectionConditions(rate: .limited(.kilobytes(20))).schedule

  private static func add(
    _ bytes: Int, _ period: Int, at now: Instant, on schedule: ServiceSchedule = schedule,
    to meter: inout RateMeter
  ) {
    meter.add(bytes, busyPeriod: period, on: schedule, at: now)
  }

  private func meter(_ packets: Int, period: Int = 1, from start: Instant = .zero) -> RateMeter {
    var meter = RateMeter()
    for index in 0..<packets {
      Self.add(1_460, period, at: start + .milliseconds(73 * index), to: &meter)
    }
    return meter
  }

  @Test func `the rate is what followed the first packet over the time since it`() {
    #expect(meter(51).bytesPerSecond == 20_000)
    #expect(meter(51, from: Instant(seconds: 500)).bytesPerSecond == 20_000)
  }

  @Test func `too few packets say nothing`() {
    #expect(RateMeter().bytesPerSecond == nil)
    #expect(meter(50).bytesPerSecond == nil && meter(50).askedBytesPerSecond == nil)
  }

  @Test func `the pause between busy periods does not count, nor does the first packet`() {
    var meter = meter(40)
    for index in 0..<40 {
      Self.add(1_460, 2, at: Instant(seconds: 900) + .milliseconds(73 * index), to: &meter)
    }
    #expect(meter.bytesPerSecond == 20_000)
    #expect(meter.askedBytesPerSecond == 20_000)
    #expect(meter.periods == 2)
  }

  @Test func `periods of one packet each never make a rate`() {
    var meter = RateMeter()
    for index in 1...200 { Self.add(1_460, index, at: Instant(seconds: Double(index)), to: &meter) }
    #expect(meter.bytesPerSecond == nil)
    #expect(meter.periods == 0)
  }

  @Test func `packets that all came at one instant have no rate`() {
    var meter = RateMeter()
    for _ in 0..<100 { Self.add(1_460, 1, at: .zero, to: &meter) }
    #expect(meter.bytesPerSecond == nil)
  }

  @Test func `what is asked of a rate that changes is its mean over the time measured`() throws {
    let rates = RateSchedule(
      [
        RateStep(at: .zero, rate: .limited(.kilobytes(20))),
        RateStep(at: Instant(seconds: 73), rate: .limited(.kilobytes(10))),
      ], outages: [Outage(at: Instant(seconds: 30), duration: .seconds(10))])
    var meter = RateMeter()
    for index in 0...100 {
      Self.add(
        index == 0 ? 1_460 : 12_000, 1, at: Instant(seconds: Double(index)), on: .rates(rates),
        to: &meter)
    }
    #expect(meter.bytesPerSecond == 12_000)
    #expect(meter.askedBytesPerSecond == Double(63 * 20_000 + 27 * 10_000) / 100)
  }

  @Test func `of a link that has no rate for a time nothing is asked`() {
    let rates = RateSchedule([
      RateStep(at: .zero, rate: .limited(.kilobytes(20))),
      RateStep(at: Instant(seconds: 2), rate: .unlimited),
    ])
    var meter = RateMeter()
    for index in 0..<60 {
      Self.add(1_460, 1, at: .zero + .milliseconds(73 * index), on: .rates(rates), to: &meter)
    }
    #expect(meter.bytesPerSecond == 20_000 && meter.askedBytesPerSecond == nil)
  }
}
