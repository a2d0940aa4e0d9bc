import Bench
import Quantities
import Testing

struct TimeModeTests {
  @Test(arguments: [("1x", 1.0), ("60x", 60), ("2.5x", 2.5), ("1000x", 1_000)])
  func `a scale is a number and an x`(text: String, factor: Double) throws {
    #expect(try TimeMode(parsing: text) == TimeMode(factor: factor))
  }

  @Test(arguments: [
    "", "x", "60", "60 x", "x60", "0x", "0.9x", "1001x", "-2x", "+2x", "1e2x", "0x10x", "infx",
    "nanx", "60xx", "60X", "１x", "1,5x",
  ])
  func `anything else is refused with what would do`(text: String) {
    let error = #expect(throws: QuantityError.self) { _ = try TimeMode(parsing: text) }
    #expect(
      error.map { "\($0)" } == "\"\(text)\" is not a time scale; write it as 1x, 60x or virtual")
  }

  @Test func `real time is not dilated`() {
    #expect(!TimeMode.real.isDilated)
    #expect(TimeMode.dilated.isDilated && TimeMode.dilated.factor == 60)
  }

  @Test(arguments: [
    (20_000.0, 60.0), (8_333_333, 60), (8_333_334, 59), (100_000_000, 5), (260_000_000, 1),
    (500_000_000, 1), (2_000_000_000, 1), (.infinity, 1),
  ])
  func `the scale is lowered until the real rate is one that the machine keeps`(
    bytesPerSecond: Double, factor: Double
  ) {
    let rate = DataRate(bytesPerSecond: bytesPerSecond)
    let lowered = TimeMode.dilated.lowered(for: rate)
    #expect(lowered == TimeMode(factor: factor))
    #expect(
      factor == 1 || factor * bytesPerSecond <= TimeMode.realRateMax.bytesPerSecond)
    // Never raised.
    #expect(TimeMode.real.lowered(for: rate) == .real)
  }
}
