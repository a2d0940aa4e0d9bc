import Quantities

/// Two sides compared, scenario by scenario and variant by variant: what stands on both sides, and
/// what does not.
package struct ComparisonReport: Hashable, Sendable {
  /// What is compared: one client on each side.
  package struct Pair: Hashable, Sendable {
    /// Empty where one scenario is all there is.
    package var scenario: String
    /// The variant of both sides; empty when the sides themselves are variants.
    package var variant: String
    package var comparison: Comparison
    /// Whether the runs of both sides prove something.
    package var isSound = true
    /// A run of each side, for the plots; nil where none is drawn.
    package var drawn: Drawn?

    package var change: Comparison.Change { isSound ? comparison.change : .inconclusive }

    var code: ExitCode {
      switch change {
      case .worse, .mixed: .failed
      case .inconclusive: .inconclusive
      default: .passed
      }
    }

    /// `slow-copy, after`.
    package var title: String {
      [scenario, variant].filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  /// A run of each side.
  package struct Drawn: Hashable, Sendable {
    package var left: VariantRecord
    package var right: VariantRecord
    package var link: RunRecord.Link
  }

  package let left: String
  package let right: String
  package private(set) var pairs: [Pair] = []
  /// What a reader must know before the figures, a sentence each.
  package private(set) var notes: [String] = []
  /// What stands on both sides and cannot be compared, a sentence each.
  package private(set) var mismatches: [String] = []
  /// A file that belongs to a side could not be read.
  package private(set) var isIncomplete = false

  /// Two variants of what one side holds; nil when no result of it has both.
  package init?(of set: ResultSet, left: String, right: String) {
    self.left = left
    self.right = right
    noteUnreadable(set)
    let groups = set.repeats
    for group in groups {
      let (old, new) = (group.variants(left), group.variants(right))
      guard !old.isEmpty, !new.isEmpty else {
        notes.append("\(group.title): it has not both variants.")
        continue
      }
      note(group)
      pairs.append(
        Pair(
          (group, left), (group, right), scenario: groups.count > 1 ? group.title : "", variant: "",
          exactly: false))
    }
    guard !pairs.isEmpty else { return nil }
    noteSingles()
  }

  /// Two sides, of each scenario the variants of the same name.
  ///
  /// Results of different scenarios or seeds have no pair. The pace of time may differ.
  package init(_ left: ResultSet, _ right: ResultSet) {
    self.left = left.label
    self.right = right.label
    noteUnreadable(left)
    noteUnreadable(right)
    noteVersions(left, right)
    var (old, new) = (left.repeats, right.repeats)
    let isOne = old.count == 1 && new.count == 1
    let names = old.map(\.name)
    // The same kind of time first: what is left over may be another.
    for isSameTime in [true, false] {
      for group in old {
        let place = new.firstIndex {
          isSameTime ? $0.covers(group.first) : $0.isSameScenario(as: group.first)
        }
        guard let place else { continue }
        let other = new.remove(at: place)
        old.removeAll { $0.order == group.order }
        let isKnownByName = names.count { $0 == group.name } == 1
        pair(group, other, isOne: isOne, title: isKnownByName ? group.name : group.title)
      }
    }
    refuse(old, new, isOne: isOne)
    noteSingles()
  }

  // MARK: Pairs

  private mutating func pair(_ old: Repeats, _ new: Repeats, isOne: Bool, title: String) {
    let times = (old.first.time, new.first.time)
    if times.0.mode != times.1.mode || times.0.factor != times.1.factor {
      notes.append(
        "\(isOne ? "" : "\(old.name): ")`\(left)` ran in \(VerdictText.time(times.0)),"
          + " `\(right)` in \(VerdictText.time(times.1)).")
    }
    note(old, in: left)
    note(new, in: right)
    let names = old.first.variants.map(\.name)
    let others = new.first.variants.map(\.name)
    for name in names where others.contains(name) {
      pairs.append(
        Pair(
          (old, name), (new, name), scenario: isOne ? "" : title, variant: name,
          exactly: times.0.mode == .virtual && times.1.mode == .virtual))
    }
    let file = isOne ? "" : " of \(old.name)"
    for name in names where !others.contains(name) {
      notes.append("Only `\(left)` has the variant \(name)\(file).")
    }
    for name in others where !names.contains(name) {
      notes.append("Only `\(right)` has the variant \(name)\(file).")
    }
  }

  /// What is of the same file, or the only thing on its side, was meant to be compared.
  private mutating func refuse(_ old: [Repeats], _ new: [Repeats], isOne: Bool) {
    var rest = new
    for group in old {
      let place = rest.firstIndex {
        isOne || $0.first.scenario.file == group.first.scenario.file
          || $0.first.scenario.sha256 == group.first.scenario.sha256
      }
      guard let place else {
        notes.append("Only `\(left)` has \(group.title).")
        continue
      }
      let other = rest.remove(at: place)
      mismatches += other.first.mismatches(with: group.first).map { reason in
        isOne ? "\(reason.capitalizedFirst)." : "\(group.first.scenario.file): \(reason)."
      }
    }
    notes += rest.map { "Only `\(right)` has \($0.title)." }
  }

  // MARK: Notes

  private mutating func noteUnreadable(_ set: ResultSet) {
    isIncomplete = isIncomplete || !set.unreadable.isEmpty
    notes += set.unreadable
  }

  private mutating func noteVersions(_ left: ResultSet, _ right: ResultSet) {
    func versions(_ set: ResultSet) -> [String] {
      Set(set.results.map(\.record.tool.version)).sorted()
    }
    let (old, new) = (versions(left), versions(right))
    guard Set(old + new).count > 1, !old.isEmpty, !new.isEmpty else { return }
    notes.append(
      "`\(left.label)` was measured by onebar \(listed(old)), `\(right.label)` by \(listed(new)):"
        + " a difference may be that of the bench.")
  }

  private mutating func note(_ group: Repeats, in side: String? = nil) {
    notes += group.unsoundRuns(of: side).map {
      "\(group.isSound ? "Left out" : "Read with care"): \($0)."
    }
  }

  private mutating func noteSingles() {
    let singles = pairs.filter { pair in
      pair.comparison.rows.contains { $0.left.values.count == 1 || $0.right.values.count == 1 }
        && !pair.comparison.isExact
    }
    let budget = singles.map(\.comparison.budget.seconds).max()
    guard let budget, budget > 0 else { return }
    notes.append(
      "A side has one run, so there is no interval: times count as the same within"
        + " \(trimmed(Comparison.timeTolerancePercent, decimals: 2)) % and the bench's error budget"
        + " of \(secondsText(budget)). More runs give one: onebar run --repeat 5.")
  }

  // MARK: The whole

  package var change: Comparison.Change {
    let whole = Comparison.Change(ofAll: pairs.map(\.change))
    return isIncomplete && !whole.isWorse || pairs.isEmpty ? .inconclusive : whole
  }

  package var exitCode: ExitCode {
    let own = isIncomplete ? [ExitCode.inconclusive] : []
    let refused = pairs.isEmpty || !mismatches.isEmpty ? [ExitCode.noBaseline] : []
    return ExitCode(gravestOf: pairs.map(\.code) + own + refused)
  }

  /// The verdict over all, in one sentence.
  package var sentence: String {
    guard !pairs.isEmpty else {
      return mismatches.isEmpty ? Self.nothing : Self.unlike
    }
    if pairs.count > 1 {
      return "\(Self.subject(change, left, right)): of \(pairs.count) pairs"
        + " \(Self.counts(pairs.map(\.change)))."
    }
    let changes = pairs[0].comparison.rows.map(\.change)
    let unsound = pairs[0].isSound ? "" : ", for the runs prove nothing"
    return "\(Self.subject(change, left, right))\(unsound): of \(changes.count) measures"
      + " \(Self.counts(changes))."
  }

  private static func subject(_ change: Comparison.Change, _ left: String, _ right: String)
    -> String
  {
    switch change {
    case .better, .worse: "`\(right)` is \(change.rawValue) than `\(left)`"
    case .same: "`\(right)` is the same as `\(left)`"
    case .different: "`\(right)` is different from `\(left)`, and neither is better"
    case .mixed: "`\(right)` is better than `\(left)` in some, and worse in others"
    case .inconclusive, .notMeasured:
      "It is inconclusive whether `\(right)` is better than `\(left)`"
    }
  }

  /// `4 are better, 15 same`.
  private static func counts(_ changes: [Comparison.Change]) -> String {
    let counts = Comparison.Change.allCases.compactMap { change -> String? in
      let count = changes.count { $0 == change }
      return count > 0 ? "\(count) \(change.rawValue)" : nil
    }
    return listed(counts)
  }

  private static let unlike = "These are not two runs of the same, so there is no verdict:"
  private static let nothing = "Nothing stands on both sides, so there is nothing to compare."
}

extension ComparisonReport.Pair {
  /// The variants of one name in two runs, with what the times of both may be off; compared exactly,
  /// none is.
  init(
    _ old: VariantRecord, in left: RunRecord, _ new: VariantRecord, in right: RunRecord,
    exactly isExact: Bool = false
  ) {
    let budget = TimeBudget(of: old, in: left).joined(with: TimeBudget(of: new, in: right))
    self.init(
      scenario: "", variant: old.name,
      comparison: Comparison(old, new, within: budget, exactly: isExact))
  }

  fileprivate init(
    _ old: (runs: Repeats, name: String), _ new: (runs: Repeats, name: String), scenario: String,
    variant: String, exactly isExact: Bool
  ) {
    let (left, right) = (old.runs.variants(old.name), new.runs.variants(new.name))
    let budget = old.runs.budget(of: old.name).joined(with: new.runs.budget(of: new.name))
    self.init(
      scenario: scenario, variant: variant,
      comparison: Comparison(left, right, within: budget, exactly: isExact),
      isSound: old.runs.isSound && new.runs.isSound)
    if let first = left.first, let other = right.first, !first.timeline.isEmpty,
      !other.timeline.isEmpty
    {
      drawn = .init(left: first, right: other, link: new.runs.first.link)
    }
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
