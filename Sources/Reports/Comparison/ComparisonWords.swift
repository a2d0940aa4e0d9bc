// A comparison told on a terminal and in Markdown: the sentences first, then the figures.

extension ComparisonReport {
  package static let markdownName = "compare.md"

  package var markdown: String {
    var text = "# \(left) and \(right)\n\n**\(ReportTable.markdownText(sentence))**\n"
    text += Self.list(mismatches) + Self.list(notes)
    for pair in pairs {
      text += heading(pair).map { "\n## \($0)\n" } ?? ""
      text += Self.list(sentences(pair)) + "\n" + table(pair.comparison).markdown
      for (side, texts, count) in onlySides(pair.comparison) {
        text += "\nOnly \(side) \(Self.lines(count, pair.comparison)):\n"
        text += Self.list(
          texts.map { shortened($0, to: ReportTable.cellLimit) } + rest(count, texts))
      }
    }
    return cut(
      text, below: MarkdownReport.byteLimit,
      note: "\nCut; the whole is in \(ComparisonFile.name).\n")
  }

  package var plain: String {
    let width = TerminalSummary.width
    func list(_ texts: [String]) -> String { texts.map { listItem($0, width: width) }.joined() }
    var text = wrapped(sentence, width: width).map { $0 + "\n" }.joined()
    text += list(mismatches) + list(notes)
    for pair in pairs {
      text += heading(pair).map { "\n\($0)\n" } ?? ""
      for part in [list(sentences(pair)), table(pair.comparison).plain(width: width)]
      where !part.isEmpty {
        text += "\n" + part
      }
      for (side, texts, count) in onlySides(pair.comparison) {
        text += "\nonly \(side) \(Self.lines(count, pair.comparison)):\n"
        text += list(texts + rest(count, texts))
      }
    }
    return text
  }

  /// One for each measure that is not the same; the table has the others.
  private func sentences(_ pair: Pair) -> [String] {
    pair.comparison.rows.filter { $0.change != .same && $0.change != .notMeasured }.map {
      $0.sentence("`\(left)`", "`\(right)`")
    }
  }

  /// Nil where the first sentence has said it all.
  func heading(_ pair: Pair) -> String? {
    pair.title.isEmpty ? nil : "\(pair.title): \(pair.change.rawValue)"
  }

  func table(_ comparison: Comparison) -> ReportTable {
    let hasIntervals = comparison.rows.contains { !$0.intervalText.isEmpty }
    let interval = hasIntervals ? ["95 % interval"] : []
    let runs = comparison.rows.first.map { ($0.left.values.count, $0.right.values.count) }
    func title(_ side: String, _ runs: Int?) -> String {
      runs.map { $0 > 1 ? "\(side), \($0) runs" : side } ?? side
    }
    return ReportTable(
      header: ["", title(left, runs?.0), title(right, runs?.1), "difference"] + interval + [
        right + " is"
      ],
      rows: comparison.rows.map { row in
        [row.measure, row.leftText, row.rightText, row.distance]
          + (hasIntervals ? [row.intervalText] : []) + [row.change.rawValue]
      })
  }

  /// The sides that showed what the other did not, with the first lines and the count of all.
  private func onlySides(_ comparison: Comparison) -> [(String, [String], Int)] {
    [
      (left, comparison.firstOnlyLeft, comparison.onlyLeftCount),
      (right, comparison.firstOnlyRight, comparison.onlyRightCount),
    ].filter { $0.2 > 0 }
  }

  /// `showed 2 lines`, or `showed 2 kinds of line` where figures make no other.
  static func lines(_ count: Int, _ comparison: Comparison) -> String {
    "showed "
      + (comparison.isByText ? counted(count, "line") : "\(counted(count, "kind")) of line")
  }

  private func rest(_ count: Int, _ texts: [String]) -> [String] {
    count > texts.count ? ["and \(count - texts.count) more"] : []
  }

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty
      ? "" : "\n" + texts.map { "- \(ReportTable.markdownText($0))\n" }.joined()
  }
}
