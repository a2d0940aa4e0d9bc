/// A run told on a terminal: plain text in columns, without colour.
package struct TerminalSummary {
  /// No line is longer.
  package static let width = 100

  private let record: RunRecord

  package init(_ record: RunRecord) {
    self.record = record
  }

  package var text: String {
    var text = paragraph("\(record.scenario.name): \(record.verdict.rawValue.uppercased())")
    text += paragraph(VerdictText.sentence(record))
    text += paragraph(
      "\(record.scenario.file), seed \(record.seed), \(VerdictText.time(record.time)); times are"
        + " link seconds")
    text += paragraph(SummaryTable.conditions(record))
    var table = SummaryTable.table(record)
    // In columns the conditions would only widen the first one.
    table.header[0] = ""
    text += "\n" + table.plain(width: TerminalSummary.width)
    if !record.expectations.isEmpty { text += "\n" + expectations }
    if let budget = VerdictText.errorBudget(record.time) { text += "\n" + paragraph(budget) }
    if let heading = VirtualWorldText.heading(record.time) {
      text += "\n" + paragraph(heading) + VirtualWorldText.limits.map { item($0) }.joined()
    }
    if !record.doubts.isEmpty {
      text += "\nin doubt:\n" + record.doubts.map { item($0) }.joined()
    }
    return text
  }

  private var expectations: String {
    let rows = record.expectations.map { expectation in
      [
        expectation.pass ? "pass" : "FAIL", expectation.variant, expectation.name,
        expectation.expected, expectation.measured ?? "not measured",
      ]
    }
    let table = ReportTable(
      header: ["result", "variant", "expectation", "expected", "measured"], rows: rows)
    let failures = record.expectations.compactMap(\.why)
    return table.plain(width: TerminalSummary.width)
      + (failures.isEmpty ? "" : "\n" + failures.map { item($0) }.joined())
  }

  private func paragraph(_ text: String) -> String {
    wrapped(text, width: TerminalSummary.width).map { $0 + "\n" }.joined()
  }

  private func item(_ text: String) -> String {
    listItem(text, width: TerminalSummary.width)
  }
}

/// A text behind a dash, its further lines set in below its first.
func listItem(_ text: String, width: Int) -> String {
  wrapped(text, width: width - 2).enumerated().map { index, line in
    (index == 0 ? "- " : "  ") + line + "\n"
  }.joined()
}
