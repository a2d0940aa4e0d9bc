import JSON

/// `compare.json`: a comparison as programs read it.
///
/// Keys are sorted, and none is left out. A field may be added within one schema number; none changes
/// its meaning or goes away.
package struct ComparisonFile: Hashable, Sendable {
  package static let name = "compare.json"
  package static let schemaNumber = 1

  struct Side: Hashable, Sendable {
    var values: [Double?]
    var mean: Double?
    var text: String
  }

  struct Interval: Hashable, Sendable {
    var low: Double
    var high: Double
  }

  struct Row: Hashable, Sendable {
    var measure: String
    var unit: ComparedMeasure.Unit
    var left: Side
    var right: Side
    var difference: Double?
    var interval: Interval?
    var minimum: Double
    var verdict: Comparison.Change
    var sentence: String
    var runsToSettle: Int?
  }

  struct Pair: Hashable, Sendable {
    var scenario: String
    var variant: String
    var verdict: Comparison.Change
    var rows: [Row]
    var onlyLeft: [String]
    var onlyLeftCount: Int
    var onlyRight: [String]
    var onlyRightCount: Int
  }

  var left: String
  var right: String
  var verdict: Comparison.Change
  var code: ExitCode
  var sentence: String
  var notes: [String]
  var mismatches: [String]
  var pairs: [Pair]

  package init(_ report: ComparisonReport) {
    self.init(
      left: report.left, right: report.right, verdict: report.change, code: report.exitCode,
      sentence: report.sentence, notes: report.notes, mismatches: report.mismatches,
      pairs: report.pairs.map { pair in
        let comparison = pair.comparison
        return Pair(
          scenario: pair.scenario, variant: pair.variant, verdict: pair.change,
          rows: comparison.rows.map { Row($0, report.left, report.right) },
          onlyLeft: comparison.onlyLeft, onlyLeftCount: comparison.onlyLeftCount,
          onlyRight: comparison.onlyRight, onlyRightCount: comparison.onlyRightCount)
      })
  }

  init(
    left: String, right: String, verdict: Comparison.Change, code: ExitCode, sentence: String,
    notes: [String], mismatches: [String], pairs: [Pair]
  ) {
    self.left = left
    self.right = right
    self.verdict = verdict
    self.code = code
    self.sentence = sentence
    self.notes = notes
    self.mismatches = mismatches
    self.pairs = pairs
  }

  package var text: String { JSONValue.object(object).text }

  private var object: [String: JSONValue] {
    guard case .object(var object) = json else { return [:] }
    object["schema"] = JSONValue(Self.schemaNumber)
    return object
  }

  /// The JSON Schema (draft 2020-12) of what ``text`` writes.
  package static var jsonSchema: String {
    Self.document(
      schema: schemaNumber,
      title: "A comparison by onebar. Times are link seconds, sizes are bytes.")
  }
}

extension ComparisonFile.Row {
  fileprivate init(_ row: Comparison.Row, _ left: String, _ right: String) {
    func side(_ sample: Sample, _ text: String) -> ComparisonFile.Side {
      .init(
        values: sample.values, mean: sample.mean.map { rounded($0, decimals: 4) }, text: text)
    }
    var difference: Double?
    if let old = row.left.mean, let new = row.right.mean {
      difference = rounded(new - old, decimals: 4)
    }
    self.init(
      measure: row.measure, unit: row.unit, left: side(row.left, row.leftText),
      right: side(row.right, row.rightText), difference: difference,
      interval: row.interval.map {
        .init(low: rounded($0.low, decimals: 4), high: rounded($0.high, decimals: 4))
      }, minimum: rounded(row.minimum, decimals: 4), verdict: row.change,
      sentence: row.sentence("`\(left)`", "`\(right)`"), runsToSettle: row.runsToSettle)
  }
}

// MARK: Fields

extension ComparisonFile: ResultObject {
  static var blank: Self {
    Self(
      left: "", right: "", verdict: .inconclusive, code: .inconclusive, sentence: "", notes: [],
      mismatches: [], pairs: [])
  }
  static var fields: [ResultField<Self>] {
    [
      .init("left", \.left, "What stands for A."), .init("right", \.right),
      .init("verdict", \.verdict, "What the right is, over all pairs."),
      .init("code", \.code, "The exit code."), .init("sentence", \.sentence),
      .init("notes", \.notes, "What to know before the figures, a sentence each."),
      .init("mismatches", \.mismatches, "What cannot be compared, and why."),
      .init("pairs", \.pairs),
    ]
  }
}

extension ComparisonFile.Pair: ResultObject {
  static var blank: Self {
    Self(
      scenario: "", variant: "", verdict: .inconclusive, rows: [], onlyLeft: [], onlyLeftCount: 0,
      onlyRight: [], onlyRightCount: 0)
  }
  static var fields: [ResultField<Self>] {
    [
      .init("scenario", \.scenario, "Empty where one scenario is all there is."),
      .init("variant", \.variant, "Empty where the sides are variants."),
      .init("verdict", \.verdict), .init("rows", \.rows, "One for each measure."),
      .init("onlyLeft", \.onlyLeft, "The first lines that only A showed."),
      .init("onlyLeftCount", \.onlyLeftCount), .init("onlyRight", \.onlyRight),
      .init("onlyRightCount", \.onlyRightCount),
    ]
  }
}

extension ComparisonFile.Row: ResultObject {
  static var blank: Self {
    Self(
      measure: "", unit: .count, left: .blank, right: .blank, difference: nil, interval: nil,
      minimum: 0, verdict: .inconclusive, sentence: "", runsToSettle: nil)
  }
  static var fields: [ResultField<Self>] {
    [
      .init("measure", \.measure), .init("unit", \.unit), .init("left", \.left),
      .init("right", \.right),
      .init("difference", \.difference, "Of the means, right less left."),
      .init("interval", \.interval, "Of the difference, 95 %; null where a side was run once."),
      .init("minimum", \.minimum, "A smaller difference is none."), .init("verdict", \.verdict),
      .init("sentence", \.sentence),
      .init("runsToSettle", \.runsToSettle, "More runs of each side that would tell."),
    ]
  }
}

extension ComparisonFile.Side: ResultObject {
  static var blank: Self { Self(values: [], mean: nil, text: "") }
  static var fields: [ResultField<Self>] {
    [
      .init("values", \.values, "Of each run; null where it never came to be."),
      .init("mean", \.mean), .init("text", \.text),
    ]
  }
}

extension ComparisonFile.Interval: ResultObject {
  static var blank: Self { Self(low: 0, high: 0) }
  static var fields: [ResultField<Self>] { [.init("low", \.low), .init("high", \.high)] }
}

extension Comparison.Change: ResultWord {}
extension ComparedMeasure.Unit: ResultWord {}
