import Quantities

/// `report.html`: a run as one page that needs nothing else, no network and no script.
///
/// With scripts allowed, it also shows the values under the pointer.
package struct HTMLReport {
  package static let name = "report.html"
  /// Lines and requests that are listed of each variant; of more, the first and the last half.
  ///
  /// All of them are in the result. A page of twenty variants stays below 20 MB by it.
  static let rowLimit = 2_000

  private let record: RunRecord
  private let drawn: PlotGroup

  package init(_ record: RunRecord) {
    self.record = record
    drawn = PlotGroup(record.variants, over: record.link)
  }

  package var text: String {
    Markup.page(
      title: "\(record.scenario.name): \(record.verdict.rawValue)", main: sections,
      data: drawn.data(group: 0))
  }

  // MARK: Parts

  private var sections: String {
    var sections = [head, summary, PlotGroup.legend]
    sections += record.variants.indices.map(plots)
    sections += [expectations, instrument]
    sections += record.variants.indices.map(lists)
    return sections.joined()
  }

  private var head: String {
    let link = record.link
    let doubts = record.doubts.map { "<li>\(Markup.escaped($0))</li>" }.joined()
    return """
      <h1>\(Markup.escaped(record.scenario.name))</h1>
      <p class="verdict \(record.verdict.rawValue)"><b>\(record.verdict.rawValue.capitalizedFirst)</b> \
      \(Markup.escaped(VerdictText.sentence(record)))</p>
      \(doubts.isEmpty ? "" : "<p>In doubt:</p><ul>\(doubts)</ul>\n")\
      <p class="small"><code>\(Markup.escaped(record.scenario.file))</code>, seed \(record.seed), \
      \(VerdictText.time(record.time)); \(Markup.escaped(InstrumentTable.rateText(link.up))) up, \
      \(Markup.escaped(InstrumentTable.rateText(link.down))) down, \
      buffer \(sizeText(link.buffer.declared)); \(record.tool.name) \
      \(Markup.escaped(record.tool.version)). All times are link seconds.</p>

      """
  }

  private var summary: String {
    "<section>" + Markup.table(SummaryTable.table(record)) + "</section>\n"
  }

  private func plots(_ index: Int) -> String {
    let variant = record.variants[index]
    return "<section class=\"variant\" data-variant=\"\(index)\" id=\"variant-\(index)\">"
      + "<h2>\(Markup.escaped(variant.name))</h2>\n\(drawn.plots(index))</section>\n"
  }

  private var expectations: String {
    guard !record.expectations.isEmpty else { return "" }
    let rows = record.expectations.map { expectation in
      let cells = RunRows.row(expectation).map { "<td>\(Markup.escaped($0))</td>" }.joined()
      return "<tr\(expectation.pass ? "" : " class=\"failed\"")>\(cells)"
        + "<td>\(result(expectation))</td></tr>\n"
    }
    let head = RunRows.expectationHeader.map { "<th scope=\"col\">\($0)</th>" }
    return "<section><h2>Expectations</h2>\n<div class=\"wide\"><table><thead><tr>\(head.joined())"
      + "</tr></thead>\n<tbody>\n\(rows.joined())</tbody></table></div></section>\n"
  }

  /// A failure links to its moment in the plots, or to its variant where it has none.
  private func result(_ expectation: ExpectationRecord) -> String {
    if expectation.pass { return "pass" }
    let why = expectation.why.map { " <small>\(Markup.escaped($0))</small>" } ?? ""
    guard let index = record.variants.firstIndex(where: { $0.name == expectation.variant }) else {
      return "<b>FAIL</b>\(why)"
    }
    let moment = ExpectationMoment.of(expectation, in: record.variants[index])
    let at = moment.map { " data-at=\"\(trimmed($0, decimals: 3))\"" } ?? ""
    let words = moment.map { "FAIL, see \(secondsText($0))" } ?? "FAIL"
    return "<b><a href=\"#variant-\(index)\"\(at)>\(words)</a></b>\(why)"
  }

  private var instrument: String {
    let check = InstrumentCheck(link: record.link, time: record.time, variants: record.variants)
    var notes: [String] = check.notes
    if let probe = record.link.probe {
      let probed = LinkProbeCheck(
        asked: probe.asked, measured: probe.measured, factor: record.time.factor)
      notes.insert("A probe of the link before the run: \(probed.sentence)", at: 0)
    }
    if let heading = VirtualWorldText.heading(record.time) {
      notes += ["\(heading) \(VirtualWorldText.limits.joined(separator: "; "))."]
    }
    let list = notes.map { "<li>\(Markup.escaped($0))</li>" }.joined()
    return "<section><h2>The instrument</h2>\n" + Markup.table(InstrumentTable.table(record))
      + (list.isEmpty ? "" : "<ul>\(list)</ul>") + "</section>\n"
  }

  private func lists(_ index: Int) -> String {
    let variant = record.variants[index]
    let lines = variant.statusLines
    let requestRows = RunRows.requests(of: variant)
    let checks = HealthChecks(of: variant.requests).map {
      "<p>\(Markup.escaped($0.sentence))</p>\n"
    }
    return folded(
      "Status lines of \(variant.name): \(lines.distinct) distinct, \(lines.live) with a new byte count",
      ReportTable(header: RunRows.lineHeader, rows: lines.lines.map(RunRows.row)))
      + folded(
        "Requests of \(variant.name): \(requestRows.count)",
        ReportTable(header: RunRows.requestHeader, rows: requestRows))
      + (checks ?? "")
  }

  private func folded(_ title: String, _ table: ReportTable) -> String {
    var table = table
    let half = HTMLReport.rowLimit / 2
    let left = table.rows.count - HTMLReport.rowLimit
    if left > 0 {
      let gap = ["…"] + table.header.dropFirst().dropLast().map { _ in "" }
      table.rows =
        table.rows.prefix(half) + [gap + ["\(left) more in \(ResultFile.name)"]]
        + table.rows.suffix(half)
    }
    return "<details\(table.rows.count <= 12 ? " open" : "")><summary>\(Markup.escaped(title))"
      + "</summary>\n\(Markup.table(table))</details>\n"
  }
}
