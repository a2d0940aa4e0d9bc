import Quantities
import Testing

@testable import LinkModel

@Suite struct RateCourseTests {
  private static let slow = LinkRate.limited(.kilobytes(20))
  private static let fast = LinkRate.limited(.kilobytes(80))

  private func course(_ direction: DirectionConditions) -> [RateStep] {
    direction.course(until: at(100))
  }

  private func at(_ seconds: Int) -> Instant { .zero + .seconds(seconds) }

  @Test func `a constant rate is one step`() {
    #expect(course(.init(rate: .constant(Self.slow))) == [RateStep(at: .zero, rate: Self.slow)])
    #expect(course(.init(rate: .unlimited)) == [RateStep(at: .zero, rate: .unlimited)])
  }

  @Test func `steps and outages are exact, and what lies beyond the end is left out`() {
    let steps = [
      RateStep(at: at(10), rate: Self.slow), RateStep(at: at(40), rate: Self.fast),
      RateStep(at: at(200), rate: Self.slow),
    ]
    let outages = [
      Outage(at: at(30), duration: .seconds(20)), Outage(at: at(95), duration: .seconds(20)),
    ]
    // The first step also holds before its time; the second begins in the outage.
    #expect(
      course(.init(rate: .steps(steps), outages: outages)) == [
        RateStep(at: .zero, rate: Self.slow), RateStep(at: at(30), rate: .offline),
        RateStep(at: at(50), rate: Self.fast), RateStep(at: at(95), rate: .offline),
      ])
  }

  @Test func `lumps are drawn by their mean`() {
    let lumps = Pace.lumps(.kilobytes(20), every: .seconds(3))
    #expect(course(.init(rate: lumps)) == [RateStep(at: .zero, rate: Self.slow)])
  }

  @Test func `a trace is drawn by the mean of its stretches, and carries as much`() throws {
    let trace = try Trace(parsing: Array("100\n200\n200\n1000\n".utf8))
    let course = course(.init(rate: .trace(trace)))
    #expect(course.count == 200)
    // Half a second each: three packets, then one.
    let bytes = course.reduce(0) { $0 + ($1.rate.limit?.bytesPerSecond ?? 0) / 2 }
    #expect(abs(bytes / (100 * trace.meanRate.bytesPerSecond) - 1) < 0.001)
    #expect(course[0].rate.limit?.bytesPerSecond == course[2].rate.limit?.bytesPerSecond)
  }
}
