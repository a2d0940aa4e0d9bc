/// Two clients set side by side, each over one or more runs: for each measure, whether the right is
/// better than the left.
///
/// Of several runs on both sides a difference counts when the interval of ``MeanDifference`` leaves
/// out zero and the difference is larger than the minimum effect; they are the same when the interval
/// lies inside the minimum effect, or the values are the very same; else it is inconclusive. One run
/// has no interval: a difference counts when it is larger than the minimum effect and the bench's own
/// error budget together.
package struct Comparison: Hashable, Sendable {
  /// Of bytes: two runs of the same scenario in different time modes stay within this.
  package static let byteTolerancePercent = 0.5
  /// Or within this many bytes: one packet.
  package static let byteTolerance = 1_460
  /// Of the time of the last receipt.
  package static let timeTolerancePercent = 1.0
  /// Of times at which lines appear, in seconds: a line changes once a second, so that a figure
  /// comes with one line or with the next.
  package static let lineTolerance = 1.0
  /// Of the number of lines that carry the elapsed time: how many fit depends on when they begin.
  package static let lineTolerancePercent = 10.0
  /// Texts that are kept of the lines that only one side showed.
  package static let textLimit = 200
  /// Texts of these that are told where there is little room.
  package static let fewTexts = 5

  package enum Change: String, Hashable, Sendable, CaseIterable {
    case better, same, worse
    /// Not the same, and neither of them is better.
    case different
    /// Better in some, worse in others: of a whole comparison only.
    case mixed
    /// The runs vary too much to tell.
    case inconclusive
    case notMeasured = "not measured"

    /// Of several together: worse and inconclusive outweigh what is better.
    package init(ofAll changes: [Change]) {
      let isBetter = changes.contains { $0 == .better || $0 == .mixed }
      if changes.contains(where: { $0 == .worse || $0 == .mixed }) {
        self = isBetter ? .mixed : .worse
      } else if changes.contains(.inconclusive) {
        self = .inconclusive
      } else if isBetter {
        self = .better
      } else {
        self = changes.contains(.different) ? .different : .same
      }
    }

    package var isWorse: Bool { self == .worse || self == .mixed }
  }

  package struct Row: Hashable, Sendable {
    package var measure: String
    package var left: Sample
    package var right: Sample
    package var change: Change
    /// Of the difference of the means; nil where a side was run once, or is a text.
    package var interval: MeanDifference?
    /// A smaller difference of the means is none.
    package var minimum: Double
    /// How many more runs of each side would tell; nil where it was told, or many would not.
    package var runsToSettle: Int?
    var unit: ComparedMeasure.Unit
    var phrase: ComparedMeasure.Phrase?
    var total: Int?
    /// Stands for the distance where that is no number.
    var note: String?
  }

  package private(set) var rows: [Row] = []
  /// Lines that only one side showed, in any of its runs: the first, and how many in all.
  package private(set) var onlyLeft: [String] = []
  package private(set) var onlyRight: [String] = []
  package private(set) var onlyLeftCount = 0
  package private(set) var onlyRightCount = 0
  package var firstOnlyLeft: [String] { Array(onlyLeft.prefix(Comparison.fewTexts)) }
  package var firstOnlyRight: [String] { Array(onlyRight.prefix(Comparison.fewTexts)) }
  /// Times and bytes of one run may be off by so much.
  package let budget: TimeBudget
  package let isExact: Bool
  /// Whether lines were told apart by their whole text, not by their words alone.
  package let isByText: Bool

  package var change: Change { Change(ofAll: rows.map(\.change)) }

  /// True when any measure got worse: the comparison fails.
  package var isWorse: Bool { change.isWorse }

  /// One run each.
  package init(
    _ left: VariantRecord, _ right: VariantRecord, within budget: TimeBudget = .none,
    exactly isExact: Bool = false
  ) {
    self.init([left], [right], within: budget, exactly: isExact)
  }

  /// `budget` is how far times of one run may be off; it is allowed beside the tolerances.
  ///
  /// Two that are compared exactly have no tolerance: in virtual time one seed gives one result.
  package init(
    _ left: [VariantRecord], _ right: [VariantRecord], within budget: TimeBudget = .none,
    exactly isExact: Bool = false
  ) {
    self.budget = isExact ? .none : budget
    self.isExact = isExact
    let areLabels = (left + right).allSatisfy { $0.statusLines.live == 0 }
    isByText = areLabels || isExact
    for measure in ComparedMeasure.all(of: left, right, within: budget) {
      rows.append(row(measure, left, right))
    }
    compareTexts(left, right, areLabels ? "label" : "line")
  }

  // MARK: One measure

  private func row(
    _ measure: ComparedMeasure, _ left: [VariantRecord], _ right: [VariantRecord]
  ) -> Row {
    var row = Row(
      measure: measure.name, left: Sample(left.map(measure.value)),
      right: Sample(right.map(measure.value)), change: .same, minimum: 0, unit: measure.unit,
      phrase: measure.phrase, total: measure.total)
    guard measure.isMeasured else {
      row.change = .notMeasured
      return row
    }
    var old = row.left.numbers
    var new = row.right.numbers
    let neverCame = old.count < left.count || new.count < right.count
    if neverCame {
      // Whether it came at all is what there is to compare.
      old = row.left.values.map { $0 == nil ? 0 : 1 }
      new = row.right.values.map { $0 == nil ? 0 : 1 }
    }
    let means = (Sample(old).mean ?? 0, Sample(new).mean ?? 0)
    let effect = isExact || neverCame ? .none : measure.minimum
    let interval = MeanDifference(old, new)
    row.minimum =
      interval == nil ? effect.ofSingles(means.0, means.1) : effect.ofMeans(means.0, means.1)
    if !neverCame { row.interval = interval }
    // The more often it came the better; of costs without an end one would not be more than another.
    let costs =
      neverCame
      ? (-means.0, -means.1)
      : (mean(left.map(measure.cost)) ?? 0, mean(right.map(measure.cost)) ?? 0)
    row.change = Self.change(
      isAlike: row.left.holdsTheSame(as: row.right), means.1 - means.0, interval, row.minimum,
      costs.0, costs.1)
    if row.change == .inconclusive {
      row.runsToSettle = MeanDifference.runsToSettle(old, new, minimum: row.minimum)
    }
    if row.change == .same, let parts = measure.parts, Set(left.map(parts)) != Set(right.map(parts))
    {
      row.change = .different
    }
    return row
  }

  /// The smaller cost is better; equal costs of unlike values are only different.
  private static func change(
    isAlike: Bool, _ difference: Double, _ interval: MeanDifference?, _ minimum: Double,
    _ oldCost: Double, _ newCost: Double
  ) -> Change {
    if isAlike { return .same }
    if abs(difference) > minimum, interval?.contains(0) != true {
      return newCost < oldCost ? .better : newCost > oldCost ? .worse : .different
    }
    guard let interval else { return .same }
    return interval.low >= -minimum && interval.high <= minimum ? .same : .inconclusive
  }

  // MARK: Lines

  /// Exactly, lines are the same when their texts are; else when their words are, whatever the
  /// figures between them: when a clock is looked at differs from run to run.
  private mutating func compareTexts(
    _ left: [VariantRecord], _ right: [VariantRecord], _ noun: String
  ) {
    let isByText = isByText
    func key(_ text: String) -> String { isByText ? text : Self.words(of: text) }
    func keys(_ variants: [VariantRecord]) -> Set<String> {
      Set(variants.flatMap(\.statusLines.lines).map { key($0.text) })
    }
    /// The first text of each kind that the other side does not have.
    func only(_ variants: [VariantRecord], beside others: Set<String>) -> [String] {
      var seen = others
      return variants.flatMap(\.statusLines.lines).map(\.text).filter {
        seen.insert(key($0)).inserted
      }
    }
    let gone = only(left, beside: keys(right))
    let come = only(right, beside: keys(left))
    onlyLeft = Array(gone.prefix(Comparison.textLimit))
    onlyRight = Array(come.prefix(Comparison.textLimit))
    (onlyLeftCount, onlyRightCount) = (gone.count, come.count)
    guard isByText else { return }
    let isSame = gone.isEmpty && come.isEmpty
    rows.append(
      Row(
        measure: "the \(noun)s themselves",
        left: Sample(left.map { Double($0.statusLines.distinct) }),
        right: Sample(right.map { Double($0.statusLines.distinct) }),
        change: isSame ? .same : .different, minimum: 0, unit: .count,
        note: isSame ? "" : "\(gone.count) gone, \(come.count) new"))
  }

  /// A line without its figures: `photo-1: 0 of 0 MB, 0 s`.
  static func words(of line: String) -> String {
    var words = ""
    var isFigure = false
    for character in line {
      // A sign between two digits belongs to the figure, whatever the language.
      let isDigit = ("0"..."9").contains(character)
      if isDigit, !isFigure { words.append("0") }
      if !isDigit, !(isFigure && (character == "." || character == ",")) {
        words.append(character)
        isFigure = false
      } else {
        isFigure = true
      }
    }
    return words
  }
}
