/// `report.md`: a run told to a reader of a CI step summary.
package struct MarkdownReport {
  package static let name = "report.md"
  /// The whole text has fewer bytes; what does not fit is counted, and is in the result.
  package static let byteLimit = 64_000
  /// Requests that are shown of each variant: the first two thirds and the last third of these.
  package static let requestLimit = 24
  /// Status lines that are shown of each variant at first sight: the first and the last half.
  ///
  /// All of them, as far as there is room, are folded below.
  package static let lineLimit = 60
  /// What the tables of lines need apart from their rows, for each variant.
  private static let lineHeadBytes = 800
  /// Lines that each variant may show however little room there is.
  private static let lineMinimum = 6

  private let record: RunRecord

  package init(_ record: RunRecord) {
    self.record = record
  }

  package var text: String {
    let head = [title, table, expectations, instrument].joined(separator: "\n")
    let requests = record.variants.map(requests).joined()
    let room = MarkdownReport.byteLimit - head.utf8.count - requests.utf8.count
    // The last resort, for a run of very many variants or expectations.
    return cut(
      head + requests + statusLines(room: room), below: MarkdownReport.byteLimit,
      note: "\nCut at \(MarkdownReport.byteLimit) bytes; the whole is in \(ResultFile.name).\n")
  }

  private var title: String {
    let link = record.link
    var text = """
      # \(record.scenario.name)

      **\(record.verdict.rawValue.capitalizedFirst)**: \(VerdictText.sentence(record))

      `\(record.scenario.file)`, seed \(record.seed), \(VerdictText.time(record.time)); \
      \(InstrumentTable.rateText(link.up)) up, \
      \(InstrumentTable.rateText(link.down)) down, \
      buffer \(sizeText(link.buffer.declared)); \(record.tool.name) \(record.tool.version). \
      Times are link seconds.

      """
    if !record.doubts.isEmpty {
      text += "\nIn doubt:\n\n" + record.doubts.map(item).joined()
    }
    return text
  }

  /// In the words of a client there may be anything.
  private func item(_ text: String) -> String { "- \(ReportTable.markdownText(text))\n" }

  private var table: String {
    SummaryTable.table(record).markdown
  }

  private var expectations: String {
    guard !record.expectations.isEmpty else { return "" }
    let rows = record.expectations.map { RunRows.row($0) + [$0.pass ? "pass" : "FAIL"] }
    let failures = record.expectations.compactMap(\.why)
    return "## Expectations\n\n"
      + ReportTable(header: RunRows.expectationHeader, rows: rows).markdown
      + (failures.isEmpty ? "" : "\n" + failures.map(item).joined())
  }

  private var instrument: String {
    let check = InstrumentCheck(link: record.link, time: record.time, variants: record.variants)
    var text = "## The instrument\n\n" + InstrumentTable.table(record).markdown
    if let probe = record.link.probe {
      let check = LinkProbeCheck(
        asked: probe.asked, measured: probe.measured, factor: record.time.factor)
      text += "\nA probe of the link before the run: \(check.sentence)\n"
    }
    if let heading = VirtualWorldText.heading(record.time) {
      text += "\n\(heading)\n\n" + VirtualWorldText.limits.map { "- \($0)\n" }.joined()
    }
    if !check.notes.isEmpty { text += "\n" + check.notes.map { "- \($0)\n" }.joined() }
    return text
  }

  /// The distinct lines of each variant, in the room that is left; a variant that needs less
  /// leaves its rest to those after it.
  private func statusLines(room: Int) -> String {
    var text = ""
    for (index, variant) in record.variants.enumerated() {
      let left = room - text.utf8.count
      let share = left / (record.variants.count - index) - MarkdownReport.lineHeadBytes
      text += statusLines(of: variant, room: share)
    }
    return text
  }

  private func statusLines(of variant: VariantRecord, room: Int) -> String {
    let lines = variant.statusLines
    var text = "\n## Status lines of \(variant.name)\n\n"
    guard !lines.lines.isEmpty else { return text + "None was shown.\n" }
    text += "\(lines.distinct) distinct, \(lines.live) with a new byte count.\n\n"
    if let honesty = variant.honesty, honesty.falseClaims > 0 {
      text += honesty.findings.map(item).joined() + "\n"
    }
    let header = ReportTable.markdownHeader(RunRows.lineHeader)
    let rows = lines.lines.map { ReportTable.markdownRow(RunRows.row($0)) }
    // All of them need no second table.
    if rows.count <= MarkdownReport.lineLimit, fitting(rows, in: room) == rows.count {
      return text + header + rows.joined()
    }
    let short = excerpt(of: rows, in: room / 3, most: MarkdownReport.lineLimit)
    text += header + short.text
    let long = excerpt(of: rows, in: room - short.text.utf8.count, most: rows.count)
    guard long.shown > short.shown else { return text }
    let what = long.shown == rows.count ? "All \(rows.count)" : "\(long.shown) of \(rows.count)"
    return text + "\n<details><summary>\(what) status lines of \(variant.name)</summary>\n\n"
      + header + long.text + "\n</details>\n"
  }

  /// The first and the last rows, with a count of those between them.
  private func excerpt(
    of rows: [String], in room: Int, most: Int
  ) -> (text: String, shown: Int) {
    // The beginning says how soon, and with what. The end says how it came out.
    let half = MarkdownReport.lineMinimum / 2
    let start = max(min(most / 2, fitting(rows, in: room / 2)), half)
    let end = max(min(most - most / 2, fitting(rows.reversed(), in: room / 2)), half)
    let gap = rows.count - start - end
    guard gap > 0 else { return (rows.joined(), rows.count) }
    let note = ReportTable.markdownRow(["…", "…", "", "", "(\(gap) more in \(ResultFile.name))"])
    return (rows.prefix(start).joined() + note + rows.suffix(end).joined(), start + end)
  }

  /// How many of the first texts have together no more bytes than there is room.
  private func fitting(_ texts: [String], in room: Int) -> Int {
    var sum = 0
    let beyond = texts.firstIndex { text in
      sum += text.utf8.count
      return sum > room
    }
    return beyond ?? texts.count
  }

  private func requests(of variant: VariantRecord) -> String {
    guard !variant.requests.isEmpty else { return "" }
    let checks = HealthChecks(of: variant.requests)
    let rows = RunRows.requests(of: variant).map(ReportTable.markdownRow)
    var shown = rows.joined()
    let limit = MarkdownReport.requestLimit
    if rows.count > limit {
      let gap = ReportTable.markdownRow(
        ["…", "", "(\(rows.count - limit) more in \(ResultFile.name))", "", "", "", "", ""])
      shown = rows.prefix(limit * 2 / 3).joined() + gap + rows.suffix(limit / 3).joined()
    }
    let table =
      rows.isEmpty
      ? ""
      : ReportTable.markdownHeader(RunRows.requestHeader) + shown
    let parts = [table, checks.map { "\($0.sentence)\n" } ?? ""].filter { !$0.isEmpty }
    return "\n## Requests of \(variant.name)\n\n" + parts.joined(separator: "\n")
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
