import JSON

/// `compare.html`: a comparison as one page that needs nothing else, no network and no script.
package struct ComparisonPage {
  package static let name = "compare.html"
  /// Pairs whose runs are drawn; with more, a page would be larger than 10 MB.
  static let plotLimit = 12

  private let report: ComparisonReport
  /// The runs of each pair that is drawn, in order.
  private let drawn: [PlotGroup?]

  package init(_ report: ComparisonReport) {
    self.report = report
    var room = Self.plotLimit
    drawn = report.pairs.map { pair in
      guard let runs = pair.drawn, room > 0 else { return nil }
      room -= 1
      return PlotGroup([runs.left, runs.right], over: runs.link)
    }
  }

  package var text: String {
    Markup.page(
      title: report.sentence.filter { $0 != "`" },
      main: head + report.pairs.indices.map(section).joined(),
      data: drawn.compactMap(\.self).enumerated().flatMap { $0.element.data(group: $0.offset) })
  }

  private var head: String {
    let notes = (report.mismatches + report.notes).map { "<li>\(Markup.coded($0))</li>" }
    let left = report.pairs.count { $0.drawn != nil } - drawn.count { $0 != nil }
    let rest =
      left > 0 ? "<li>The plots of \(counted(left, "more pair")) are not drawn here.</li>" : ""
    return """
      <h1>\(Markup.escaped(report.right)) against \(Markup.escaped(report.left))</h1>
      <p class="verdict \(report.change.rawValue)"><b>\(report.change.rawValue.capitalizedFirst)</b> \
      \(Markup.coded(report.sentence))</p>
      <ul class="small">\(notes.joined())\(rest)<li>All times are link seconds.</li></ul>

      """
  }

  private func section(_ index: Int) -> String {
    let pair = report.pairs[index]
    let heading = report.heading(pair).map { "<h2>\(Markup.escaped($0))</h2>\n" } ?? ""
    return "<section class=\"pair\">\(heading)"
      + sentences(pair) + ranges(pair) + Markup.table(report.table(pair.comparison))
      + plots(index) + lines(pair) + "</section>\n"
  }

  // MARK: Parts of a pair

  private func sentences(_ pair: ComparisonReport.Pair) -> String {
    let rows = pair.comparison.rows.filter { $0.change != .notMeasured }
    func list(_ rows: [Comparison.Row]) -> String {
      "<ul class=\"sentences\">"
        + rows.map { row in
          "<li class=\"\(row.change.rawValue)\">"
            + Markup.coded(row.sentence("`\(report.left)`", "`\(report.right)`")) + "</li>\n"
        }.joined() + "</ul>\n"
    }
    let same = rows.filter { $0.change == .same }
    let folded =
      same.isEmpty
      ? ""
      : "<details><summary>\(counted(same.count, "measure")) the same</summary>\(list(same))"
        + "</details>\n"
    return list(rows.filter { $0.change != .same }) + folded
  }

  /// The differences as bars on a scale of their own each, with what is too little to count.
  private func ranges(_ pair: ComparisonReport.Pair) -> String {
    let bars = pair.comparison.rows.compactMap(bar)
    guard !bars.isEmpty else { return "" }
    return "<h3>Differences</h3>\n<div class=\"chart ranges\">\n\(bars.joined())</div>\n"
      + "<p class=\"legend\"><span>left of the line: less in \(Markup.escaped(report.right))</span>"
      + "<span class=\"key minimum\">too little to count</span>"
      + "<span>a bar is the 95 % interval; of one run each, the difference itself</span></p>\n"
  }

  private func bar(_ row: Comparison.Row) -> String? {
    guard row.note == nil, row.change != .notMeasured, let old = row.left.mean,
      let new = row.right.mean
    else { return nil }
    let low = row.interval?.low ?? new - old
    let high = row.interval?.high ?? new - old
    guard low != 0 || high != 0 else { return nil }
    let most = max(abs(low), abs(high), row.minimum) * 1.08
    func place(_ value: Double) -> Double { (value / most + 1) * 50 }
    func span(_ name: String, _ low: Double, _ high: Double) -> String {
      "<i class=\"\(name)\" style=\"left:\(Markup.number(place(low)))%;"
        + "width:\(Markup.number(place(high) - place(low)))%\"></i>"
    }
    let note = row.intervalText.isEmpty ? row.distance : row.intervalText
    return "<div class=\"label\">\(Markup.escaped(row.measure))<small>\(Markup.escaped(note))"
      + "</small></div><div class=\"range\">"
      + (row.minimum > 0 ? span("minimum", -row.minimum, row.minimum) : "")
      + "<i class=\"zero\"></i>" + span(row.change.rawValue, low, high) + "</div>\n"
  }

  private func plots(_ index: Int) -> String {
    guard let group = drawn[index] else { return "" }
    let row = report.pairs[index].comparison.rows.first
    let sides = [(report.left, row?.left), (report.right, row?.right)]
    return PlotGroup.legend
      + sides.enumerated().map { place, side in
        let which = side.1.map { $0.values.count > 1 ? ", its first run" : "" } ?? ""
        return "<section class=\"variant\"><h3>\(Markup.escaped(side.0 + which))</h3>\n"
          + group.plots(place) + "</section>\n"
      }.joined()
  }

  private func lines(_ pair: ComparisonReport.Pair) -> String {
    let comparison = pair.comparison
    func items(_ name: String, _ texts: [String], _ count: Int) -> String {
      texts.map { "<li class=\"\(name)\">\(Markup.escaped($0))</li>\n" }.joined()
        + (count > texts.count ? "<li>and \(count - texts.count) more</li>\n" : "")
    }
    let (gone, come) = (comparison.onlyLeftCount, comparison.onlyRightCount)
    guard gone + come > 0 else { return "" }
    let title = [(report.left, gone), (report.right, come)].filter { $0.1 > 0 }
      .map { "\($0.0) \(ComparisonReport.lines($0.1, comparison))" }.joined(separator: ", only ")
    return
      "<details\(gone + come <= 12 ? " open" : "")><summary>Only \(Markup.escaped(title))</summary>\n"
      + "<ul class=\"diff\">\(items("gone", comparison.onlyLeft, gone))"
      + "\(items("come", comparison.onlyRight, come))</ul></details>\n"
  }
}
