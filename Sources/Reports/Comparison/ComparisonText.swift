import Quantities

// How a row of a comparison is told: in the cells of a table, and in a sentence.

extension ComparedMeasure.Unit {
  /// A value of the measure, a mean of several, or a difference, which may be below zero.
  func text(_ value: Double) -> String {
    switch self {
    case .count: trimmed(value, decimals: 1)
    case .bytes: sizeText(Int(value.rounded()))
    case .seconds: (value < 0 ? "-" : "") + secondsText(abs(value))
    }
  }

  /// To the last digit that is kept, for values that would look the same.
  fileprivate func exactText(_ value: Double) -> String {
    switch self {
    case .count: trimmed(value, decimals: 3)
    case .bytes: "\(trimmed(value, decimals: 1)) B"
    case .seconds: "\(trimmed(value, decimals: 3)) s"
    }
  }
}

extension Comparison.Row {
  /// For the cell of a table: `7`, `305.9 s (305.2 to 306.4 s)`, `never in 2 of 5, else 305.9 s`.
  package var leftText: String { text(of: left) }
  package var rightText: String { text(of: right) }

  /// The distance between them: a difference, and in percent where that says more; empty when equal.
  package var distance: String {
    if let note { return note }
    guard let old = left.mean, let new = right.mean, old != new else { return "" }
    let difference = "\(new > old ? "+" : "-")\(text(abs(new - old)))"
    guard unit != .count, old != 0 else { return difference }
    return "\(difference), \(signedPercent((new - old) / old * 100))"
  }

  /// `-43.2 to -41 s`; empty where there is none, or it has no width.
  package var intervalText: String {
    guard let interval, interval.low != interval.high else { return "" }
    return range(interval.low, interval.high)
  }

  private func text(of sample: Sample) -> String {
    guard !sample.values.isEmpty, change != .notMeasured else { return "–" }
    let of = total.map { " of \($0)" } ?? ""
    guard let mean = sample.mean, let least = sample.least, let most = sample.most else {
      return "never"
    }
    if sample.isConstant { return text(mean) + of }
    let spread = text(least) == text(most) ? text(mean) : "\(text(mean)) (\(range(least, most)))"
    let never = sample.values.count - sample.numbers.count
    return never == 0 ? spread + of : "never in \(never) of \(sample.values.count), else \(spread)"
  }

  /// For a sentence: `7 in all 5 runs`.
  private func told(_ sample: Sample) -> String {
    let runs = sample.values.count
    guard sample.isConstant, runs > 1 else { return text(of: sample) }
    return "\(text(of: sample)) in \(runs == 2 ? "both" : "all \(runs)") runs"
  }

  /// A value whose difference from another would not show is told to its last digit.
  private func text(_ value: Double) -> String {
    looksAlike ? unit.exactText(value) : unit.text(value)
  }

  private var looksAlike: Bool {
    guard let old = left.mean, let new = right.mean, change != .same else { return false }
    return old != new && unit.text(old) == unit.text(new)
  }

  /// `41 to 43.2 s`: the unit stands once where it is that of both, and both have its digits.
  private func range(_ low: Double, _ high: Double) -> String {
    let isLong = unit == .seconds && max(abs(low), abs(high)) >= 1 && !looksAlike
    let (first, last) =
      isLong
      ? ("\(trimmed(low, decimals: 1)) s", "\(trimmed(high, decimals: 1)) s")
      : (text(low), text(high))
    guard let blank = first.lastIndex(of: " "), last.hasSuffix(first[blank...]) else {
      return "\(first) to \(last)"
    }
    return "\(first[..<blank]) to \(last)"
  }

  // MARK: The sentence

  /// What the verdict rests on; `left` and `right` are the names of the sides.
  package func sentence(_ left: String, _ right: String) -> String {
    "\(statement(left, right)): \(change.rawValue)\(remedy)."
  }

  private func statement(_ left: String, _ right: String) -> String {
    let title = measure.capitalizedFirst
    if let note, change != .same { return "\(title): \(note)" }
    let (old, new) = (told(self.left), told(self.right))
    switch change {
    case .notMeasured: return title
    case .same:
      return old == new
        ? "\(title): \(new)"
        : "\(title): \(new) against \(old), \(intervalClause)within \(text(minimum)),"
          + " the least that counts"
    case .inconclusive:
      return "\(title): \(new) in \(right) against \(old) in \(left)"
        + (intervalText.isEmpty
          ? "" : ", \(intervalClause)where \(text(minimum)) is the least that counts")
    default: break
    }
    guard let phrase, let deed = deed(phrase) else {
      return "\(title): \(new) in \(right) against \(old) in \(left)"
    }
    return "\(right) \(deed) than \(left) (\(new) against \(old)\(decidedInterval))"
  }

  /// `finished 42.1 s sooner`; nil where it never came in some of the runs, for then no amount says
  /// how far apart they are.
  private func deed(_ phrase: ComparedMeasure.Phrase) -> String? {
    guard (left.values + right.values).allSatisfy({ $0 != nil }), let old = left.mean,
      let new = right.mean, old != new
    else { return nil }
    let amount = text(abs(new - old))
    let ending = amount == "1" ? "" : "s"
    let words = phrase.text.split(separator: "#", omittingEmptySubsequences: false)
      .joined(separator: "\(amount) \(new < old ? phrase.less : phrase.more)")
    return words.split(separator: "(s)", omittingEmptySubsequences: false).joined(separator: ending)
  }

  private var intervalClause: String {
    intervalText.isEmpty ? "" : "95 % interval of the difference \(intervalText), "
  }

  /// Of a difference whose direction the sentence has said.
  private var decidedInterval: String {
    guard let interval, !intervalText.isEmpty else { return "" }
    let ends = [abs(interval.low), abs(interval.high)].sorted()
    let (old, new) = (left.values.count, right.values.count)
    let runs = old == new ? "\(old) runs each" : "\(old) and \(new) runs"
    return "; 95 % interval \(range(ends[0], ends[1])) over \(runs)"
  }

  private var remedy: String {
    guard change == .inconclusive else { return "" }
    guard let runsToSettle else { return "; more runs alone would hardly settle it" }
    return
      "; \(counted(runsToSettle, "more run")) of each would settle it, if they vary as these do"
  }
}
