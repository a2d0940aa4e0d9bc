import Testing

@testable import Reports

@Suite struct MeanDifferenceTests {
  /// Hours of sleep gained by two drugs.
  ///
  /// From "Student", "The probable error of a mean", Biometrika 6, 1908.
  private static let drugs: ([Double], [Double]) = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
  )

  @Test func `the interval of Student's own data is the published one`() throws {
    // R's t.test(extra ~ group, data = sleep): df = 17.776, -3.3654832 to 0.2054832, first less
    // second.
    let found = try #require(MeanDifference(Self.drugs.0, Self.drugs.1))
    #expect(abs(found.difference - 1.58) < 1e-9)
    #expect(abs(found.low + 0.2054832) < 1e-3 && abs(found.high - 3.3654832) < 1e-3)
    #expect(found.contains(0))
    let other = try #require(MeanDifference(Self.drugs.1, Self.drugs.0))
    #expect(abs(other.low + found.high) < 1e-12 && abs(other.high + found.low) < 1e-12)
  }

  @Test func `two each have the widest interval, worked out by hand`() throws {
    // Variances 2 and 2, a standard error of the root of 2, 2 degrees of freedom.
    let found = try #require(MeanDifference([1, 3], [11, 13]))
    #expect(abs(found.high - (10 + 4.3027 * 2.squareRoot())) < 1e-9)
  }

  @Test(arguments: [
    (1.0, 12.7062), (2, 4.3027), (4, 2.7764), (10, 2.2281), (17.776, 2.1028), (29, 2.0452),
    (30, 2.0423), (60, 2.0003), (120, 1.9799), (1e9, 1.96),
  ])
  func `the quantiles are those of printed tables`(degrees: Double, quantile: Double) {
    #expect(abs(StudentT.twoSided95(degrees: degrees) - quantile) < 2e-4)
  }

  @Test func `the quantile never grows with the degrees, and fewer than one are one`() {
    let all = stride(from: 1.0, through: 40, by: 0.1).map { StudentT.twoSided95(degrees: $0) }
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(StudentT.twoSided95(degrees: 0.5) == StudentT.twoSided95(degrees: 1))
  }

  @Test func `one value says nothing of how it varies, and equal ones vary by nothing`() throws {
    #expect(MeanDifference([1], [2, 3]) == nil && MeanDifference([1, 2], []) == nil)
    // A sum of tenths would leave a rest.
    let found = try #require(
      MeanDifference([0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]))
    #expect(found.low == 0 && found.high == 0)
  }

  @Test func `the runs that are asked for settle it, and one fewer would not`() throws {
    let (left, right) = ([10.0, 14], [13.0, 17])
    let more = try #require(MeanDifference.runsToSettle(left, right, minimum: 0))
    // Each side as it is, over and over, keeps its mean and nearly its variance.
    func interval(_ count: Int) -> MeanDifference? {
      func drawn(_ values: [Double]) -> [Double] { (0..<count).map { values[$0 % 2] } }
      return MeanDifference(drawn(left), drawn(right))
    }
    #expect(interval(2)?.contains(0) == true)
    #expect(more == 7)
    #expect(interval(2 + more)?.contains(0) == false)
    // On the edge of the minimum effect no number of them would.
    #expect(MeanDifference.runsToSettle(left, right, minimum: 3) == nil)
    #expect(MeanDifference.runsToSettle([1], right, minimum: 3) == nil)
  }
}
