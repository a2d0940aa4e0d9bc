import Quantities

/// One axis of a plot: from zero to an end, with marks at round numbers.
struct PlotAxis: Hashable {
  var end: Double
  /// Ascending, each from zero to the end.
  var marks: [Double]

  /// An axis of values, with some room above the highest.
  init(values most: Double, marks count: Int = 3) {
    let end = most > 0 ? most * 1.1 : 1
    self.init(end: end, step: PlotAxis.roundStep(end / Double(count)))
  }

  /// An axis of link seconds, which ends where the run does.
  init(seconds most: Double, marks count: Int = 8) {
    let end = most > 0 ? most : 1
    let step = PlotAxis.timeStep(end / Double(count))
    self.init(end: end, step: step)
  }

  private init(end: Double, step: Double) {
    self.end = end
    // Counted, not added up: sums of steps drift.
    marks = (0...Int((end / step).rounded(.down) + 0.001)).map { Double($0) * step }
  }

  /// Where a value lies, from 0 to 1.
  func share(_ value: Double) -> Double { min(max(value / end, 0), 1) }

  /// The smallest of 1, 2, 5, 10, 20 and so on that is no less.
  private static func roundStep(_ least: Double) -> Double {
    guard least > 0, least.isFinite else { return 1 }
    var scale = 1.0
    while scale > least { scale /= 10 }
    while scale * 10 <= least { scale *= 10 }
    return [1, 2, 5].map { $0 * scale }.first { $0 >= least } ?? 10 * scale
  }

  /// Round in seconds, minutes or hours.
  private static func timeStep(_ least: Double) -> Double {
    let clock: [Double] = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200,
    ]
    if least < 1 { return roundStep(least) }
    return clock.first { $0 >= least } ?? roundStep(least / 86_400) * 86_400
  }

  /// `900 s`, or minutes where seconds would be long.
  static func timeText(_ seconds: Double, end: Double) -> String {
    switch end {
    case ..<1_800: "\(trimmed(seconds, decimals: 3)) s"
    case ..<36_000: "\(trimmed(seconds / 60, decimals: 2)) min"
    default: "\(trimmed(seconds / 3_600, decimals: 2)) h"
    }
  }
}
