/// Several runs of one scenario with one seed, summed up: how far apart they came out.
package struct RepeatSummary: Hashable, Sendable {
  private let records: [RunRecord]

  /// One summary for each scenario that was run more than once, in order of first running.
  package static func all(of records: [RunRecord]) -> [RepeatSummary] {
    var groups: [[RunRecord]] = []
    for record in records {
      let place = groups.firstIndex { group in
        group[0].scenario == record.scenario && group[0].seed == record.seed
      }
      if let place { groups[place].append(record) } else { groups.append([record]) }
    }
    return groups.filter { $0.count > 1 }.map { RepeatSummary(records: $0) }
  }

  private init(records: [RunRecord]) {
    self.records = records
  }

  package var text: String {
    let verdicts = RunRecord.Verdict.allCases.compactMap { verdict -> String? in
      let count = records.count { $0.verdict == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    let table = ReportTable(
      header: ["variant", "", "least", "median", "most", "runs"], rows: rows)
    return "\(records[0].scenario.name), \(counted(records.count, "run")):"
      + " \(verdicts.joined(separator: ", "))\n\n" + table.plain(width: TerminalSummary.width)
  }

  private var rows: [[String]] {
    var names: [String] = []
    for variant in records.flatMap(\.variants) where !names.contains(variant.name) {
      names.append(variant.name)
    }
    return names.flatMap { name in
      let variants = records.flatMap(\.variants).filter { $0.name == name }
      let attempts = variants.map { $0.files.reduce(0) { $0 + $1.attempts } }
      let bytes = variants.map { $0.files.reduce(0) { $0 + $1.wireBytes } }
      return [
        row(name, "attempts", attempts.map(Double.init)) { String(Int($0)) },
        row(name, "file bytes on the wire", bytes.map(Double.init)) { sizeText(Int($0)) },
        // A run that did not finish is later than every one that did.
        row(name, "all done at", variants.map { $0.finishedAt ?? .infinity }) {
          $0.isFinite ? secondsText($0) : "never"
        },
      ]
    }
  }

  /// Of an even number of runs the median is the lower of the two in the middle: a measured value.
  private func row(
    _ variant: String, _ measure: String, _ values: [Double], _ text: (Double) -> String
  ) -> [String] {
    let sorted = values.sorted()
    guard let least = sorted.first, let most = sorted.last else { return [] }
    let median = sorted[(sorted.count - 1) / 2]
    return [variant, measure, text(least), text(median), text(most), String(values.count)]
  }
}
