/// Reads the lines of a client by its patterns.
package final class FigureReader {
  /// Lines that may be too hard; behind them it reads none, so that a flood of them costs a second.
  package static let givenUpMax = 100

  private let patterns: [(pattern: FigurePattern, figures: LinePattern?, done: LinePattern?)]
  /// Lines in which a search was given up, or not begun any more: what they claim is not known.
  package private(set) var givenUp = 0

  /// The patterns of a scenario, which are known to be some.
  package init(_ patterns: [FigurePattern]) {
    self.patterns = patterns.map { pattern in
      (pattern, pattern.pattern.flatMap(Self.read), pattern.done.flatMap(Self.read))
    }
  }

  private static func read(_ text: String) -> LinePattern? { try? LinePattern(text) }

  /// By the first pattern that fits; nil when none does.
  package func claim(in line: String) -> FigureClaim? {
    guard givenUp < Self.givenUpMax else {
      givenUp += 1
      return nil
    }
    var isTooHard = false
    defer { if isTooHard { givenUp += 1 } }
    func search(_ pattern: LinePattern?) -> [String: String]? {
      switch pattern?.search(line) {
      case .found(let groups): return groups
      case .tooHard: isTooHard = true
      case .notFound, nil: break
      }
      return nil
    }
    for (pattern, figures, done) in patterns {
      let groups = search(figures)
      func figure(_ group: FigurePattern.Group, _ unit: FigureUnit) -> Figure? {
        groups?[group.rawValue].flatMap { Figure($0, unit: unit) }
      }
      // A total of 0 is one that is not known yet.
      let total = figure(.total, pattern.unit).flatMap { $0.key > 0 ? $0 : nil }
      let claim = FigureClaim(
        claimed: figure(.claimed, pattern.unit), total: total,
        rate: figure(.rate, pattern.unit == .percent ? .bytes : pattern.unit),
        isDone: search(done) != nil, file: pattern.file)
      if claim.claimed != nil || claim.isDone { return claim }
    }
    return nil
  }
}
