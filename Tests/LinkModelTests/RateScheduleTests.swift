import LinkModel
import Quantities
import Testing

@Suite struct RateScheduleTests {
  private func seconds(_ count: Double) -> Instant { Instant(seconds: count) }

  private func steps(_ rates: (Double, LinkRate)...) -> [RateStep] {
    rates.map { RateStep(at: seconds($0.0), rate: $0.1) }
  }

  private func departure(
    ofByte number: Int, from start: Double, on schedule: RateSchedule
  ) -> Instant? {
    var point = schedule.begin(at: seconds(start))
    return schedule.departure(ofByte: number, after: &point)
  }

  @Test func `a byte leaves when the rates since the start add up to its number`() {
    let schedule = RateSchedule(
      steps(
        (0, .limited(.kilobytes(20))), (40, .limited(.kilobytes(5))),
        (100, .limited(.kilobytes(50)))))
    #expect(departure(ofByte: 800_000, from: 0, on: schedule) == seconds(40))
    #expect(departure(ofByte: 800_001, from: 0, on: schedule) == seconds(40.000_2))
    #expect(departure(ofByte: 1_100_000, from: 0, on: schedule) == seconds(100))
    #expect(departure(ofByte: 1_150_000, from: 0, on: schedule) == seconds(101))
    #expect(departure(ofByte: 250_000, from: 30, on: schedule) == seconds(50))
    #expect(departure(ofByte: 100, from: -1, on: schedule) == seconds(-0.995))
  }

  @Test func `an outage is laid over the steps, and takes no work from those around it`() {
    let schedule = RateSchedule(
      steps((0, .limited(.kilobytes(20))), (60, .limited(.kilobytes(40)))),
      outages: [
        Outage(at: seconds(40), duration: .seconds(100)),
        Outage(at: seconds(150), duration: .seconds(10)),
      ])
    #expect(departure(ofByte: 800_000, from: 0, on: schedule) == seconds(40))
    #expect(departure(ofByte: 800_040, from: 0, on: schedule) == seconds(140.001))
    #expect(departure(ofByte: 40_000, from: 50, on: schedule) == seconds(141))
    #expect(departure(ofByte: 440_000, from: 140, on: schedule) == seconds(161))
    #expect(schedule.online(from: seconds(39)) == seconds(39))
    #expect(schedule.online(from: seconds(40)) == seconds(140))
    #expect(schedule.online(from: seconds(140)) == seconds(140))
  }

  @Test func `outages that overlap or touch are one`() {
    let schedule = RateSchedule(
      steps((0, .unlimited)),
      outages: [
        Outage(at: seconds(10), duration: .seconds(10)),
        Outage(at: seconds(15), duration: .seconds(2)),
        Outage(at: seconds(20), duration: .seconds(5)),
      ])
    #expect(schedule.online(from: seconds(12)) == seconds(25))
    #expect(departure(ofByte: 1, from: 12, on: schedule) == seconds(25))
  }

  @Test func `offline for good, a byte never leaves`() {
    #expect(departure(ofByte: 1, from: 0, on: RateSchedule(steps((0, .offline)))) == nil)
    let schedule = RateSchedule(steps((0, .limited(.kilobytes(1))), (5, .offline)))
    #expect(departure(ofByte: 5_000, from: 0, on: schedule) == seconds(5))
    #expect(departure(ofByte: 5_001, from: 0, on: schedule) == nil)
    #expect(schedule.online(from: seconds(5)) == nil)
    #expect(RateSchedule([]).online(from: seconds(5)) == nil)
  }

  @Test func `where everything crosses at once, it does so at the first instant`() {
    let schedule = RateSchedule(
      steps((0, .limited(.kilobytes(1))), (5, .unlimited), (6, .limited(.kilobytes(1)))))
    #expect(departure(ofByte: 9_000_000, from: 0, on: schedule) == seconds(5))
    #expect(departure(ofByte: 9_000_000, from: 5.5, on: schedule) == seconds(5.5))
    #expect(departure(ofByte: 1_000, from: 6, on: schedule) == seconds(7))
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the sum over any steps is exact to the nanosecond`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var at: Int64 = 0
    // Nanobytes per second and nanoseconds: whole numbers, so that the sum below is exact.
    var expected: [(from: Int64, speed: Int128)] = []
    for _ in 0..<50 {
      let speed = Bool.random(using: &random) ? Int128.random(in: 1...2_000_000, using: &random) : 0
      expected.append((at, speed * 50_000_000))
      at += Int64.random(in: 1...5_000_000_000, using: &random)
    }
    expected.append((at, 20_000_000_000_000))
    let schedule = RateSchedule(
      expected.map { from, speed in
        RateStep(
          at: Instant(nanoseconds: from),
          rate: speed == 0 ? .offline : .limited(DataRate(bytesPerSecond: Double(speed) / 1e9)))
      })
    func work(until end: Int64) -> Int128 {
      zip(expected, expected.dropFirst().map(\.from) + [.max]).reduce(0) { sum, step in
        sum + step.0.speed * Int128(max(0, min(end, step.1) - step.0.from))
      }
    }
    var point = schedule.begin(at: .zero)
    for number in 1...2_000 {
      let bytes = number * 1_460
      let instant = try #require(schedule.departure(ofByte: bytes, after: &point))
      let target = Int128(bytes) * ServicePoint.workPerByte
      // A nanosecond earlier less has been served, and a nanosecond later more.
      let after = work(until: instant.nanoseconds + 1)
      let before = work(until: instant.nanoseconds - 1)
      guard before < target && target < after else {
        Issue.record("byte \(bytes) does not leave at \(instant.nanoseconds) ns")
        return
      }
    }
  }

  @Test func `a busy period is served until an instant, and goes on under another schedule`() {
    let slow = ServiceSchedule.rates(RateSchedule(steps((0, .limited(.kilobytes(10))))))
    let fast = ServiceSchedule.rates(
      RateSchedule(steps((0, .offline), (3, .limited(.kilobytes(90))))))
    var point = slow.begin(at: seconds(1))
    slow.move(&point, to: seconds(2))
    #expect(point.work == 10_000 * ServicePoint.workPerByte)
    var resumed = fast.resume(point)
    #expect(fast.departure(ofByte: 100_000, after: &resumed) == seconds(4))
  }
}
