import EventLoop
import Quantities
import Testing

@Suite struct LatenessLogTests {
  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a percentile is that of the sorted list, or at most a bucket above it`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    var log = LatenessLog()
    var values: [Int64] = []
    for _ in 0..<3_000 {
      // From nanoseconds to hours, as many of each size.
      let size = Int64.random(in: 0...43, using: &random)
      let value = Int64.random(in: 0...(1 << size), using: &random)
      log.add(value)
      values.append(value)
    }
    values.sort()
    for percent in 1...100 {
      let exact = values[Int((Double(values.count * percent) / 100).rounded(.up)) - 1]
      let read = try #require(log.percentile(Double(percent) / 100))
      #expect(read >= exact && Double(read) <= Double(exact) * (1 + 1.0 / 32))
    }
    #expect(log.worst == values.last && log.percentile(1) == values.last)
  }

  @Test func `small values are exact, and negative ones are none`() {
    var log = LatenessLog()
    #expect(log.percentile(0.5) == nil)
    for value in -5...63 as ClosedRange<Int64> { log.add(value) }
    #expect(log.count == 69)
    #expect(log.percentile(0) == 0 && log.percentile(6.0 / 69) == 0)
    #expect(log.percentile(7.0 / 69) == 1 && log.percentile(1) == 63)
  }

  @Test func `the longest that there is fits`() {
    var log = LatenessLog()
    log.add(.max)
    #expect(log.percentile(0.99) == .max)
  }
}
