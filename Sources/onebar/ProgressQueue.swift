package import Bench

/// What is still to be shown of runs: the end of each variant, in order, and all that run now.
///
/// Between two drawings only the newest progress counts, but none of the ends is lost.
package struct ProgressQueue {
  /// Ends that wait; more than a run of one scenario has variants.
  package static let endsMax = 100

  private var ends: [RunProgress] = []
  private var running: [RunProgress] = []

  package init() {}

  package mutating func add(_ news: RunNews) {
    switch news {
    case .running(let all): running = all
    case .over(let end):
      running.removeAll { ($0.scenario, $0.variant) == (end.scenario, end.variant) }
      if ends.count < Self.endsMax { ends.append(end) }
    }
  }

  /// Takes out the ends that are to be drawn now, and looks at what runs.
  package mutating func take() -> (ends: [RunProgress], running: [RunProgress]) {
    defer { ends = [] }
    return (ends, running)
  }
}
