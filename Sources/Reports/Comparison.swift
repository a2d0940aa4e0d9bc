import Quantities

/// Two variants set side by side: for each measure, whether the right is better than the left.
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
  package static let textLimit = 5

  package enum Change: String, Hashable, Sendable {
    case better, same, worse
    /// Not the same, and neither of them is better.
    case different
    /// Better in some, worse in others: of a whole comparison only.
    case mixed
    case notMeasured = "not measured"
  }

  package struct Row: Hashable, Sendable {
    package var measure: String
    package var left: String
    package var right: String
    /// The distance between them: in percent, as a ratio, or as a number; empty when equal.
    package var distance: String
    package var change: Change
  }

  package private(set) var rows: [Row] = []
  /// Lines that only one side showed: the first few, and how many in all.
  package private(set) var onlyLeft: [String] = []
  package private(set) var onlyRight: [String] = []
  package private(set) var onlyLeftCount = 0
  package private(set) var onlyRightCount = 0

  package var change: Change {
    let better = rows.contains { $0.change == .better }
    let worse = rows.contains { $0.change == .worse }
    if better && worse { return .mixed }
    if better { return .better }
    if worse { return .worse }
    return rows.contains { $0.change == .different } ? .different : .same
  }

  /// True when any measure got worse: the comparison fails.
  package var isWorse: Bool { rows.contains { $0.change == .worse } }

  private let budget: TimeBudget
  /// 1 where tolerances hold, 0 where the two have to be equal.
  private let slack: Double

  /// `budget` is how far times of these two may be off; it is allowed beside the tolerances.
  ///
  /// Two that are compared exactly have no tolerance: in virtual time one seed gives one result.
  package init(
    _ left: VariantRecord, _ right: VariantRecord, within budget: TimeBudget = .none,
    exactly isExact: Bool = false
  ) {
    self.budget = budget
    slack = isExact ? 0 : 1
    compareFiles(left, right)
    compareWire(left.wire, right.wire)
    compareLines(left.statusLines, right.statusLines)
    addCount("false status lines", left.honesty?.falseClaims, right.honesty?.falseClaims)
    addCount("captures lost", left.exactlyOnce.lost, right.exactlyOnce.lost)
    addCount("captures held twice", left.exactlyOnce.duplicates, right.exactlyOnce.duplicates)
    addCount("captures parked", left.parked, right.parked)
    addCount("captures not saved", left.notSaved?.count, right.notSaved?.count)
  }

  private mutating func compareFiles(_ left: VariantRecord, _ right: VariantRecord) {
    let steps = distinctSteps(left.files + right.files)
    for step in steps {
      let old = left.files.filter { $0.step == step }
      let new = right.files.filter { $0.step == step }
      func attempts(_ files: [FileRecord]) -> Int { files.reduce(0) { $0 + $1.attempts } }
      // Once each is right: a file that was never begun is no better than one begun twice.
      func strayed(_ files: [FileRecord]) -> Int {
        files.reduce(0) { $0 + abs($1.attempts - 1) }
      }
      add(
        "attempts of the \(noun(ofStep: step))", "\(attempts(old))", "\(attempts(new))",
        signed(attempts(new) - attempts(old)),
        change(
          isSame: old.map(\.attempts) == new.map(\.attempts), Double(strayed(old)),
          Double(strayed(new))))
    }
    for step in steps {
      let old = left.files.filter { $0.step == step }
      let new = right.files.filter { $0.step == step }
      func wire(_ files: [FileRecord]) -> Int { files.reduce(0) { $0 + $1.wireBytes } }
      // As with attempts: each file's own size, once, is right.
      func strayed(_ files: [FileRecord]) -> Double {
        Double(files.reduce(0) { $0 + abs($1.wireBytes - $1.bytes) })
      }
      addBytes(
        "bytes of the \(noun(ofStep: step)) on the wire", wire(old), wire(new), strayed(old),
        strayed(new),
        budget: budget.bytes)
    }
    let landed = (left.files.filter(\.landed).count, right.files.filter(\.landed).count)
    add(
      "files landed", "\(landed.0) of \(left.files.count)", "\(landed.1) of \(right.files.count)",
      signed(landed.1 - landed.0),
      change(isSame: landed.0 == landed.1, Double(-landed.0), Double(-landed.1)))
    addTime(
      "all done at", left.finishedAt, right.finishedAt,
      tolerance: { [budget, slack] in
        slack * $0 * Comparison.timeTolerancePercent / 100 + budget.seconds
      })
  }

  private mutating func compareWire(_ left: WireRecord, _ right: WireRecord) {
    addBytes("useful bytes", left.useful, right.useful, Double(-left.useful), Double(-right.useful))
    // How much crosses before a limit cuts depends on how punctually it does.
    for (title, bytes, budget) in [
      ("repeated bytes", \WireRecord.repeated, 0), ("abandoned bytes", \.abandoned, budget.bytes),
      ("overhead bytes", \.overhead, 0),
    ] {
      let (old, new) = (left[keyPath: bytes], right[keyPath: bytes])
      addBytes(title, old, new, Double(old), Double(new), budget: budget)
    }
  }

  private mutating func compareLines(_ left: StatusLinesRecord, _ right: StatusLinesRecord) {
    let tolerance = slack * Comparison.lineTolerancePercent / 100
    for (title, count) in [
      ("distinct status lines", \StatusLinesRecord.distinct),
      ("lines with a new byte count", \.live),
    ] {
      let (old, new) = (left[keyPath: count], right[keyPath: count])
      // Labels without figures are few and fixed: one more or less is a change.
      let close = left.live > 0 && right.live > 0 ? Double(max(old, new)) * tolerance : 0
      add(
        title, "\(old)", "\(new)", signed(new - old),
        change(isSame: Double(abs(new - old)) <= close, Double(-old), Double(-new)))
    }
    let lineTolerance = { [budget, slack] (seconds: Double) in
      slack * max(seconds * Comparison.timeTolerancePercent / 100, Comparison.lineTolerance)
        + budget.seconds
    }
    addTime(
      "first line with live figures", left.firstLiveAt, right.firstLiveAt,
      tolerance: lineTolerance)
    if let old = left.longestSilence, let new = right.longestSilence {
      addTime("longest time without a new line", old, new, tolerance: lineTolerance)
    } else {
      add("longest time without a new line", "–", "–", "", .notMeasured)
    }
    let old = Set(left.lines.map(\.text))
    let new = Set(right.lines.map(\.text))
    let gone = left.lines.map(\.text).filter { !new.contains($0) }
    let come = right.lines.map(\.text).filter { !old.contains($0) }
    onlyLeft = Array(gone.prefix(Comparison.textLimit))
    onlyRight = Array(come.prefix(Comparison.textLimit))
    (onlyLeftCount, onlyRightCount) = (gone.count, come.count)
    let areLabels = left.live == 0 && right.live == 0
    if areLabels || slack == 0 {
      let noun = areLabels ? "label" : "line"
      add(
        "the \(noun)s themselves", counted(left.distinct, noun), counted(right.distinct, noun),
        gone.isEmpty && come.isEmpty ? "" : "\(gone.count) gone, \(come.count) new",
        gone.isEmpty && come.isEmpty ? .same : .different)
    }
  }

  private mutating func add(
    _ measure: String, _ left: String, _ right: String, _ distance: String, _ change: Change
  ) {
    rows.append(
      Row(measure: measure, left: left, right: right, distance: distance, change: change))
  }

  private mutating func addCount(_ measure: String, _ left: Int?, _ right: Int?) {
    guard let left, let right else { return }
    add(
      measure, "\(left)", "\(right)", signed(right - left),
      change(isSame: left == right, Double(left), Double(right)))
  }

  /// `oldCost` and `newCost` are less where the bytes are better.
  private mutating func addBytes(
    _ measure: String, _ left: Int, _ right: Int, _ oldCost: Double, _ newCost: Double,
    budget: Double = 0
  ) {
    let tolerance = max(
      Double(max(left, right)) * Comparison.byteTolerancePercent / 100,
      Double(Comparison.byteTolerance))
    let close = max(slack * tolerance, budget)
    let percent = left == 0 ? nil : Double(right - left) / Double(left) * 100
    add(
      measure, sizeText(left), sizeText(right),
      left == right ? "" : percent.map { signedPercent($0) } ?? "from nothing",
      change(isSame: abs(Double(right - left)) <= close, oldCost, newCost))
  }

  /// Sooner is better, and nil is never.
  private mutating func addTime(
    _ measure: String, _ left: Double?, _ right: Double?, tolerance: (Double) -> Double
  ) {
    func text(_ value: Double?) -> String { value.map(secondsText) ?? "never" }
    var distance = ""
    if let left, let right, left > 0, left != right {
      distance = "\(fixed(right / left, decimals: 2)) times"
    }
    let same =
      if let left, let right { abs(right - left) <= tolerance(max(left, right)) } else {
        left == nil && right == nil
      }
    add(
      measure, text(left), text(right), distance,
      change(isSame: same, left ?? .infinity, right ?? .infinity))
  }

  /// The smaller cost is better; equal costs of unlike values are only different.
  private func change(isSame: Bool, _ oldCost: Double, _ newCost: Double) -> Change {
    if isSame { return .same }
    return newCost < oldCost ? .better : newCost > oldCost ? .worse : .different
  }

  private func signed(_ number: Int) -> String {
    number == 0 ? "" : number > 0 ? "+\(number)" : "\(number)"
  }
}
