/// A comparison told in Markdown and on a terminal: two variants of a run, or two runs.
package struct ComparisonReport: Hashable, Sendable {
  package struct Pair: Hashable, Sendable {
    /// The variant of both sides; empty when the sides themselves are variants.
    package var variant: String
    package var comparison: Comparison

    init(variant: String, comparison: Comparison) {
      self.variant = variant
      self.comparison = comparison
    }

    /// The variant of one name in two runs, with what the times of both may be off; compared exactly,
    /// none is.
    init(
      _ old: VariantRecord, in left: RunRecord, _ new: VariantRecord, in right: RunRecord,
      exactly isExact: Bool = false
    ) {
      let budget = TimeBudget(of: old, in: left).joined(with: TimeBudget(of: new, in: right))
      self.init(
        variant: old.name,
        comparison: Comparison(old, new, within: isExact ? .none : budget, exactly: isExact))
    }
  }

  package let left: String
  package let right: String
  package private(set) var pairs: [Pair] = []
  /// What a reader must know before the figures, a sentence each.
  package private(set) var notes: [String] = []
  /// In what the two runs differ, so that nothing of them can be compared, a sentence each.
  package private(set) var mismatches: [String] = []
  /// One of the sides was measured by an instrument out of tolerance, or only in part.
  package private(set) var isInconclusive = false

  /// Two variants of one run; nil when it has no variant of one of these names.
  package init?(of record: RunRecord, left: String, right: String) {
    guard let old = record.variants.first(where: { $0.name == left }),
      let new = record.variants.first(where: { $0.name == right })
    else { return nil }
    self.left = left
    self.right = right
    let budget = TimeBudget(of: old, in: record).joined(with: TimeBudget(of: new, in: record))
    pairs = [Pair(variant: "", comparison: Comparison(old, new, within: budget))]
    noteVerdict("this run", record.verdict)
  }

  /// Two runs, variant by variant of the same name; `labels` stand for them in the report.
  ///
  /// Runs of different scenarios or seeds have no pairs. The pace of time may differ.
  package init(_ left: RunRecord, _ right: RunRecord, labels: (left: String, right: String)) {
    self.left = labels.left
    self.right = labels.right
    mismatches = right.mismatches(with: left).map { "\($0.capitalizedFirst)." }
    guard mismatches.isEmpty else { return }
    if left.time.mode != right.time.mode || left.time.factor != right.time.factor {
      notes.append(
        "\(labels.left) ran in \(VerdictText.time(left.time)), \(labels.right) in"
          + " \(VerdictText.time(right.time)).")
    }
    noteVerdict(labels.left, left.verdict)
    noteVerdict(labels.right, right.verdict)
    for old in left.variants {
      if let new = right.variants.first(where: { $0.name == old.name }) {
        pairs.append(Pair(old, in: left, new, in: right))
      } else {
        notes.append("Only \(labels.left) has the variant \(old.name).")
      }
    }
    for new in right.variants where !left.variants.contains(where: { $0.name == new.name }) {
      notes.append("Only \(labels.right) has the variant \(new.name).")
    }
  }

  private mutating func noteVerdict(_ label: String, _ verdict: RunRecord.Verdict) {
    switch verdict {
    case .passed, .failed: break
    case .inconclusive, .interrupted:
      isInconclusive = true
      notes.append("Read with care: \(label) is \(verdict.rawValue).")
    }
  }

  /// True when any measure of any variant got worse.
  package var isWorse: Bool { pairs.contains { $0.comparison.isWorse } }

  package var exitCode: ExitCode {
    if !mismatches.isEmpty || pairs.isEmpty { return .noBaseline }
    if isInconclusive { return .inconclusive }
    return isWorse ? .failed : .passed
  }

  package var markdown: String {
    var text = "# \(left) and \(right)\n"
    guard mismatches.isEmpty else {
      return text + "\n\(ComparisonReport.unlike)\n\n" + mismatches.map { "- \($0)\n" }.joined()
    }
    if !notes.isEmpty { text += "\n" + notes.map { "- \($0)\n" }.joined() }
    if pairs.isEmpty { text += "\n\(ComparisonReport.nothing)\n" }
    for pair in pairs {
      text += "\n## \(heading(pair))\n\n" + table(pair.comparison).markdown
      for (side, texts, count) in onlySides(pair.comparison) {
        text += "\nOnly \(side) showed \(counted(count, "line")):\n\n"
        text += texts.map { "- \(shortened($0, to: ReportTable.cellLimit))\n" }.joined()
        text += rest(count, texts).map { "- \($0)\n" } ?? ""
      }
    }
    return text
  }

  package var plain: String {
    let width = TerminalSummary.width
    guard mismatches.isEmpty else {
      return ComparisonReport.unlike + "\n"
        + mismatches.map { listItem($0, width: width) }.joined()
    }
    var text = notes.map { listItem($0, width: width) }.joined()
    if pairs.isEmpty { text += ComparisonReport.nothing + "\n" }
    for pair in pairs {
      text += (text.isEmpty ? "" : "\n") + heading(pair) + "\n\n"
      text += table(pair.comparison).plain(width: width)
      for (side, texts, count) in onlySides(pair.comparison) {
        text += "\nonly \(side) showed \(counted(count, "line")):\n"
        text += texts.map { listItem($0, width: width) }.joined()
        text += rest(count, texts).map { listItem($0, width: width) } ?? ""
      }
    }
    return text
  }

  private static let unlike = "These are not two runs of the same, so there is no verdict:"
  private static let nothing = "No variant stands on both sides, so there is nothing to compare."

  private func heading(_ pair: Pair) -> String {
    let name = pair.variant.isEmpty ? "\(right) against \(left)" : pair.variant
    return "\(name): \(pair.comparison.change.rawValue)"
  }

  private func table(_ comparison: Comparison) -> ReportTable {
    ReportTable(
      header: ["", left, right, "distance", right + " is"],
      rows: comparison.rows.map { row in
        [row.measure, row.left, row.right, row.distance, row.change.rawValue]
      })
  }

  private func onlySides(_ comparison: Comparison) -> [(String, [String], Int)] {
    [
      (left, comparison.onlyLeft, comparison.onlyLeftCount),
      (right, comparison.onlyRight, comparison.onlyRightCount),
    ].filter { $0.2 > 0 }
  }

  private func rest(_ count: Int, _ texts: [String]) -> String? {
    count > texts.count ? "and \(count - texts.count) more" : nil
  }
}

extension RunRecord {
  /// In what two runs are not of the same, so that one is no baseline for the other.
  package func mismatches(with other: RunRecord) -> [String] {
    var found: [String] = []
    if scenario.sha256 != other.scenario.sha256 {
      found.append(
        scenario.file == other.scenario.file
          ? "the file \(scenario.file) was edited between them"
          : "one is of the scenario \(other.scenario.file), the other of \(scenario.file)")
    }
    if seed != other.seed {
      found.append("the seed of one is \(other.seed), of the other \(seed)")
    }
    return found
  }
}
