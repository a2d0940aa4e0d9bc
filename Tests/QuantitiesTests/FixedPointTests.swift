import Quantities
import Testing

@Suite struct FixedPointTests {
  @Test(arguments: [
    (0, 0, "0"), (0, 2, "0.00"), (1.5, 0, "2"), (2.5, 0, "3"), (-1.5, 0, "-2"), (0.05, 1, "0.1"),
    (0.004, 2, "0.00"), (-0.004, 2, "0.00"), (-0.006, 2, "-0.01"), (305.9, 1, "305.9"),
    (12.345678, 3, "12.346"), (0.001, 3, "0.001"), (123_456_789.5, 1, "123456789.5"),
    (999_999.9996, 3, "1000000.000"), (1e15, 0, "1000000000000000"),
  ])
  func `a number has as many digits as were asked for`(value: Double, decimals: Int, text: String) {
    #expect(fixed(value, decimals: decimals) == text)
  }

  @Test(
    arguments: [
      (.nan, 2), (.infinity, 0), (-.infinity, 3), (1e18, 0), (-1e300, 3), (1e14, 6),
      (.greatestFiniteMagnitude, 9),
    ] as [(Double, Int)])
  func `a number without digits that mean anything is a dash`(value: Double, decimals: Int) {
    #expect(fixed(value, decimals: decimals) == "–")
    #expect(trimmed(value, decimals: decimals) == "–")
  }

  @Test(arguments: [
    (0, 3, "0"), (20, 3, "20"), (61.4, 3, "61.4"), (100, 0, "100"), (1.0004, 3, "1"),
    (-0.5, 2, "-0.5"), (1_000.10, 2, "1000.1"),
  ])
  func `trimming drops zeros after the point only`(value: Double, decimals: Int, text: String) {
    #expect(trimmed(value, decimals: decimals) == text)
  }
}
