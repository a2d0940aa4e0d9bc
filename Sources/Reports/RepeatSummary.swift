/// Several runs of one scenario with one seed, summed up: how far apart they came out.
///
/// It keeps the first record and a few numbers of each other one, however many there are.
package struct RepeatSummary: Sendable {
  private struct Measures: Sendable {
    var name: String
    var attempts: [Double] = []
    var bytes: [Double] = []
    /// A run that did not finish is later than every one that did.
    var finished: [Double] = []
  }

  private let first: RunRecord
  private var verdicts: [RunRecord.Verdict] = []
  private var variants: [Measures] = []
  /// Runs whose record is that of the first, which is one of them.
  private var equal = 0
  private var interrupted = 0

  /// A scenario's first run.
  package init(_ record: RunRecord) {
    first = record
    add(record)
  }

  /// Whether the record is one of the same scenario with the same seed.
  package func covers(_ record: RunRecord) -> Bool {
    first.scenario == record.scenario && first.seed == record.seed
  }

  package mutating func add(_ record: RunRecord) {
    verdicts.append(record.verdict)
    // What would have come of it is not known.
    guard record.verdict != .interrupted else {
      interrupted += 1
      return
    }
    if isRepeated(by: record) { equal += 1 }
    for variant in record.variants {
      let place = variants.firstIndex { $0.name == variant.name } ?? variants.endIndex
      if place == variants.endIndex { variants.append(Measures(name: variant.name)) }
      variants[place].attempts.append(Double(variant.files.reduce(0) { $0 + $1.attempts }))
      variants[place].bytes.append(Double(variant.files.reduce(0) { $0 + $1.wireBytes }))
      variants[place].finished.append(variant.finishedAt ?? .infinity)
    }
  }

  /// Nothing in the record is another than in the first.
  package func isRepeated(by record: RunRecord) -> Bool { record == first }

  /// Nil of a single run, which has nothing to be compared with.
  package var text: String? {
    let runs = verdicts.count
    guard runs > 1 else { return nil }
    let counts = RunRecord.Verdict.allCases.compactMap { verdict -> String? in
      let count = verdicts.count { $0 == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    let table = ReportTable(
      header: ["variant", "", "least", "median", "most", "runs"], rows: variants.flatMap(rows))
    return "\(first.scenario.name), \(counted(runs, "run")): \(counts.joined(separator: ", "))\n\n"
      + table.plain(width: TerminalSummary.width)
      + (sameness.map { "\n\($0)\n" } ?? "")
  }

  /// A seed has to give the same bytes in virtual time.
  private var sameness: String? {
    let runs = verdicts.count - interrupted
    guard first.time.mode == .virtual, runs > 1 else { return nil }
    return equal == runs
      ? "every one with the same result, to the byte"
      : "\(runs - equal) with another result than the first: their reports show where"
  }

  private func rows(of measures: Measures) -> [[String]] {
    [
      row(measures.name, "attempts", measures.attempts) { String(Int($0)) },
      row(measures.name, "file bytes on the wire", measures.bytes) { sizeText(Int($0)) },
      row(measures.name, "all done at", measures.finished) {
        $0.isFinite ? secondsText($0) : "never"
      },
    ].compactMap(\.self)
  }

  /// Of an even number of runs the median is the lower of the two in the middle: a measured value.
  private func row(
    _ variant: String, _ measure: String, _ values: [Double], _ text: (Double) -> String
  ) -> [String]? {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return nil }
    let median = sorted[(sorted.count - 1) / 2]
    return [variant, measure, text(least), text(median), text(most), String(values.count)]
  }
}
