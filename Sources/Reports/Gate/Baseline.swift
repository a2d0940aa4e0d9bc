/// A result that later ones of the same scenario are held against.
///
/// It is kept as a file beside the project, one for each scenario and kind of time, as a result
/// without what is large and never the same twice: no requests, no timeline.
package struct Baseline: Hashable, Sendable {
  package let record: RunRecord

  package init(_ record: RunRecord) {
    var record = record
    for index in record.variants.indices {
      record.variants[index].requests = []
      record.variants[index].timeline = []
      record.variants[index].statusLines.shown = nil
      record.variants[index].instrument.buffers = []
    }
    self.record = record
  }

  /// `slow-copy.virtual.json`: real and dilated results are of another kind than virtual ones.
  package static func fileName(of record: RunRecord) -> String {
    "\(scenarioName(of: record.scenario.file)).\(record.time.mode.rawValue).json"
  }

  /// A file's name without its folder and its ending.
  package static func scenarioName(of file: String) -> String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
  }

  /// How a result stands to it.
  package func standing(of new: RunRecord) -> BaselineStanding {
    var unlike = new.mismatches(with: record)
    if new.time.mode != record.time.mode {
      unlike.append(
        "the baseline ran in \(VerdictText.time(record.time)), this in \(VerdictText.time(new.time))"
      )
    }
    if new.tool != record.tool {
      unlike.append(
        "the baseline is of \(record.tool.name) \(record.tool.version), this of"
          + " \(new.tool.version)")
    }
    let names = (record.variants.map(\.name), new.variants.map(\.name))
    if names.0 != names.1 {
      unlike.append("the baseline has the variants \(listed(names.0)), this \(listed(names.1))")
    }
    guard unlike.isEmpty else { return .unlike(unlike) }
    guard new.isSound else { return .unjudged }
    return .compared(
      zip(record.variants, new.variants).map { old, variant in
        .init(old, in: record, variant, in: new, exactly: new.time.mode == .virtual)
      })
  }
}

/// How a result stands to its baseline.
package enum BaselineStanding: Hashable, Sendable {
  /// Nothing is asked of a baseline.
  case notAsked
  case missing
  /// It is of something else, a sentence each.
  case unlike([String])
  /// The run itself proves nothing.
  case unjudged
  case compared([ComparisonReport.Pair])

  /// One word for a table.
  package var word: String {
    switch self {
    case .notAsked: "–"
    case .missing: "none"
    case .unlike: "of something else"
    case .unjudged: "not compared"
    case .compared(let pairs):
      if pairs.contains(where: { $0.comparison.isWorse }) {
        "worse"
      } else if pairs.allSatisfy({ $0.comparison.change == .same }) {
        "same"
      } else if pairs.contains(where: { $0.comparison.change == .better }) {
        "better"
      } else {
        "different"
      }
    }
  }

  package var code: ExitCode {
    switch self {
    case .notAsked, .unjudged: .passed
    case .missing, .unlike: .noBaseline
    case .compared(let pairs): pairs.contains { $0.comparison.isWorse } ? .failed : .passed
    }
  }

  /// What to know of it, a sentence each; `file` is where the baseline is, or should be.
  package func sentences(file: String) -> [String] {
    switch self {
    case .notAsked, .unjudged: []
    case .missing: ["There is no baseline \(file); write it with --update-baseline."]
    case .unlike(let reasons):
      reasons.map { "\(file) is no baseline for this run: \($0); renew it with --update-baseline." }
    case .compared(let pairs):
      pairs.flatMap { pair in
        pair.comparison.rows.filter { $0.change != .same && $0.change != .notMeasured }.map { row in
          let distance = row.distance.isEmpty ? "" : " (\(row.distance))"
          return "\(pair.variant): \(row.measure): \(row.change.rawValue) than the baseline,"
            + " \(row.leftText) then, \(row.rightText) now\(distance)."
        } + Self.lines(of: pair)
      }
    }
  }

  /// The lines that came and went, as a diff.
  private static func lines(of pair: ComparisonReport.Pair) -> [String] {
    let comparison = pair.comparison
    guard comparison.rows.contains(where: { $0.change != .same }) else { return [] }
    return comparison.firstOnlyLeft.map { "\(pair.variant): - \($0)" }
      + comparison.firstOnlyRight.map { "\(pair.variant): + \($0)" }
  }
}
