/// How far the means of two samples lie apart, the right less the left, with an interval of 95 %.
///
/// Welch's: the two may vary by different amounts, and be few. (B. L. Welch, "The generalization of
/// 'Student's' problem when several different population variances are involved", Biometrika 34,
/// 1947; the degrees of freedom are Satterthwaite's, Biometrics 2, 1946.) It takes each mean as
/// normally distributed, which is so of sums of many small delays, and widens honestly where runs are
/// few: of two each it is at least 4.3 standard errors to either side. Values that never varied give
/// an interval of no width.
package struct MeanDifference: Hashable, Sendable {
  package var difference: Double
  package var low: Double
  package var high: Double

  /// Nil where a side has fewer than two values, which do not say how much they vary.
  package init?(_ left: [Double], _ right: [Double]) {
    guard let left = Moments(left), let right = Moments(right) else { return nil }
    difference = right.mean - left.mean
    let half = Self.halfWidth(left.variance, left.count, right.variance, right.count)
    low = difference - half
    high = difference + half
  }

  package func contains(_ value: Double) -> Bool { low <= value && value <= high }

  private static func halfWidth(
    _ leftVariance: Double, _ leftCount: Int, _ rightVariance: Double, _ rightCount: Int
  ) -> Double {
    let left = leftVariance / Double(leftCount)
    let right = rightVariance / Double(rightCount)
    let squared = left + right
    guard squared > 0 else { return 0 }
    let degrees =
      squared * squared
      / (left * left / Double(leftCount - 1) + right * right / Double(rightCount - 1))
    return StudentT.twoSided95(degrees: degrees) * squared.squareRoot()
  }

  /// More runs than this are not asked for.
  static let settlingMax = 1_000

  /// How many more runs of each side would settle it, if they vary as these do: the interval then
  /// leaves out zero, or lies inside the minimum effect; nil where ``settlingMax`` would not.
  static func runsToSettle(_ left: [Double], _ right: [Double], minimum: Double) -> Int? {
    guard let left = Moments(left), let right = Moments(right) else { return nil }
    let distance = abs(right.mean - left.mean)
    let room = distance > minimum ? distance : minimum - distance
    let fewest = min(left.count, right.count)
    return (1...settlingMax).first { more in
      let count = fewest + more
      return halfWidth(
        left.variance, max(left.count, count), right.variance, max(right.count, count)) < room
    }
  }

  private struct Moments {
    var count: Int
    var mean: Double
    /// Over n - 1.
    var variance: Double

    init?(_ values: [Double]) {
      guard values.count > 1, let mean = Sample(values).mean else { return nil }
      count = values.count
      self.mean = mean
      variance =
        values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
    }
  }
}

/// Student's t distribution, as far as intervals of 95 % need it.
enum StudentT {
  /// 97.5 % of it lie below, for 1 to 30 degrees of freedom; as tables have it, such as NIST's
  /// (e-Handbook of Statistical Methods, 1.3.6.7.2).
  private static let table = [
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010,
    2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860, 2.0796, 2.0739, 2.0687,
    2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
  ]
  /// Of the normal distribution.
  private static let normal = 1.959964

  /// How many standard errors to either side hold 95 %.
  ///
  /// Between two rows it goes by the reciprocal of the degrees, which is never too narrow: up to 19 %
  /// too wide below 2 degrees, 2 % below 3, and less than 0.4 % from there on. Beyond the table it is
  /// Abramowitz and Stegun's 26.7.5. Fewer degrees than one there are none.
  static func twoSided95(degrees: Double) -> Double {
    let degrees = max(degrees, 1)
    guard degrees < Double(table.count) else {
      let cubed = normal * normal * normal
      let first = (cubed + normal) / 4
      let second = (5 * cubed * normal * normal + 16 * cubed + 3 * normal) / 96
      return normal + first / degrees + second / (degrees * degrees)
    }
    let row = Int(degrees)
    let (below, above) = (1 / Double(row), 1 / Double(row + 1))
    let share = (below - 1 / degrees) / (below - above)
    return table[row - 1] + share * (table[row] - table[row - 1])
  }
}
