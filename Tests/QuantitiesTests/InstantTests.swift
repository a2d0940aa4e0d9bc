import Quantities
import Testing

@Suite struct InstantTests {
  static let first = Instant(nanoseconds: .min)

  @Test func `instants and durations add up`() {
    let start = Instant(seconds: 1.5)
    #expect(start.nanoseconds == 1_500_000_000 && start.seconds == 1.5)
    #expect(start + .milliseconds(250) == Instant(nanoseconds: 1_750_000_000))
    #expect(start + .milliseconds(-250) == Instant(nanoseconds: 1_250_000_000))
    #expect(start - Instant(seconds: 2) == .milliseconds(-500))
    #expect(start.duration(to: start + .nanoseconds(1)) == .nanoseconds(1))
    #expect(Instant.zero < start && !(start < start))
  }

  @Test func `an instant beyond the ends of time is the end`() {
    #expect(Instant.distantFuture + .nanoseconds(1) == .distantFuture)
    #expect(Instant(seconds: 1) + .nanoseconds(Int64.max) == .distantFuture)
    #expect(Self.first + .nanoseconds(-1) == Self.first)
    #expect(Instant(seconds: -1) + .nanoseconds(Int64.min) == Self.first)
    #expect(Instant(seconds: 1e300) == .distantFuture)
    #expect(Instant(seconds: -.infinity) == Self.first)
  }

  @Test func `a distance beyond what fits is the longest`() {
    #expect(Instant.distantFuture - Instant(nanoseconds: -1) == .nanoseconds(Int64.max))
    #expect(Self.first - Instant(nanoseconds: 1) == .nanoseconds(Int64.min))
    #expect(Instant.distantFuture - .zero == .nanoseconds(Int64.max))
  }

  @Test func `a duration has its nanoseconds, or the most that fit`() {
    #expect(Duration.milliseconds(1_500).nanoseconds == 1_500_000_000)
    #expect(Duration.milliseconds(-1_500).nanoseconds == -1_500_000_000)
    #expect((Duration.nanoseconds(5) / 2).nanoseconds == 2)
    #expect(Duration.nanoseconds(Int64.max).nanoseconds == .max)
    #expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).nanoseconds == .max)
    #expect((Duration.nanoseconds(Int64.min) - .nanoseconds(1)).nanoseconds == .min)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(Int64.min).nanoseconds == .min)
  }

  @Test func `seconds as a number are kept to the nanosecond`() {
    #expect(Duration.seconds(exactly: 0.1) == .milliseconds(100))
    #expect(Duration.seconds(exactly: 900.000_000_001).nanoseconds == 900_000_000_001)
    #expect(Duration.seconds(exactly: -0.25).inSeconds == -0.25)
    #expect(Duration.seconds(exactly: .infinity).nanoseconds == .max)
    #expect(Duration.seconds(exactly: -1e300).nanoseconds == .min)
  }

  @Test func `bytes at a rate take their time, however long that is`() {
    #expect(DataRate.kilobytes(20).time(for: .megabytes(1.65)) == .milliseconds(82_500))
    #expect(DataRate(bytesPerSecond: 3).time(for: ByteCount(1)) == .nanoseconds(333_333_333))
    #expect(DataRate(bytesPerSecond: 1e-12).time(for: ByteCount(1_460)).nanoseconds == .max)
    #expect(DataRate.kilobytes(20).time(for: .zero) == .zero)
  }
}
