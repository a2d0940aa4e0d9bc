import JSON

/// Variants that are drawn on the same axes, so that they can be compared by eye.
struct PlotGroup {
  /// Columns in which the curves of all variants keep their extremes, together; a variant alone has
  /// as many as its plot is wide.
  ///
  /// A page stays below 5 MB by it, however long the run was.
  private static let columnLimit = 4_000

  private let variants: [VariantRecord]
  private let rates: [RunRecord.RatePoint]
  private let courses: [BytesCourse]
  /// Of each variant, the rates at which bytes crossed.
  private let carried: [[Double]]
  private let scales: VariantPlots.Scales

  init(_ variants: [VariantRecord], over link: RunRecord.Link) {
    self.variants = variants
    rates = link.up.rates ?? []
    let end = variants.map(PlotGroup.end).max() ?? 0
    let time = PlotAxis(seconds: end)
    let columns = min(Int(VariantPlots.width), Self.columnLimit / max(1, variants.count))
    courses = variants.map {
      BytesCourse($0).thinned(until: time.end, stretches: max(1, columns))
    }
    carried = variants.map {
      BytesCourse.carriedRates($0.timeline, until: time.end, count: VariantPlots.rateStretches)
    }
    let asked = rates.compactMap(\.rate).max()
    // Where everything crosses at once, what did is the only scale there is.
    let most = asked ?? carried.joined().max()
    scales = VariantPlots.Scales(
      time: time, rate: PlotAxis(values: most ?? 0, marks: 2),
      bytes: PlotAxis(values: Double(courses.map(\.most).max() ?? 0)))
  }

  /// The last thing that is known of a variant.
  private static func end(_ variant: VariantRecord) -> Double {
    var ends = variant.requests.map { $0.at + $0.seconds }
    ends += variant.statusLines.lines.map(\.last)
    ends += [variant.finishedAt, variant.timeline.last?.at].compactMap { $0 }
    if variant.outcome == .horizon { ends.append(variant.horizon) }
    return min(ends.max() ?? 0, variant.horizon)
  }

  static let legend = """
    <p class="legend"><span class="key asked">asked of the link</span> \
    <span class="key carried">carried: has crossed the link</span> \
    <span class="key handed">handed over: the socket has taken it</span> \
    <span class="key claimed">claimed: the user was told so</span> \
    <span class="key good">answered</span> <span class="key bad">cut or lost</span> \
    <span class="key refused">refused</span></p>

    """

  func plots(_ index: Int) -> String {
    VariantPlots(
      variant: variants[index], course: courses[index], carried: carried[index], rates: rates,
      scales: scales
    ).html
  }

  // MARK: Data for the pointer

  /// What the script reads out of each variant's plots; a moment is shown in all of one group.
  func data(group: Int) -> [JSONValue] { variants.indices.map { data($0, group) } }

  private func data(_ index: Int, _ group: Int) -> JSONValue {
    let variant = variants[index]
    let points = Array(courses[index].pieces.joined())
    func column(_ value: (BytesCourse.Point) -> JSONValue) -> JSONValue {
      .array(points.map(value))
    }
    let lines = variant.statusLines.lines.prefix(HTMLReport.rowLimit)
    let shown = ShownLines(variant).rows.map { row in
      JSONValue.array(
        row.stays.filter { lines.indices.contains($0.line) }
          .map { .array([JSONValue($0.at), JSONValue($0.line)]) })
    }
    return .object([
      "end": JSONValue(scales.time.end), "group": JSONValue(group),
      "at": column { JSONValue($0.at) }, "handed": column { JSONValue($0.handedOver) },
      "carried": column { JSONValue($0.carried) },
      "claimed": column { $0.claimed.map { JSONValue($0) } ?? .null },
      "lines": .array(
        lines.map { .string($0.isTrue == false ? "\($0.text) (\($0.verdict))" : $0.text) }),
      "shown": .array(shown),
    ])
  }
}
