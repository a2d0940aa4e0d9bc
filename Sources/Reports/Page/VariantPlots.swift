import Quantities

/// The plots of one variant, under each other on one time axis.
///
/// Curves are SVG that is stretched to the width there is; words stand over it as text of their own,
/// so that they are readable at every width.
struct VariantPlots {
  /// What all variants of a page share, so that they can be compared by eye.
  struct Scales {
    var time: PlotAxis
    /// Bytes per second.
    var rate: PlotAxis
    var bytes: PlotAxis
  }

  /// Units of a plot's width.
  static let width = 1_000.0
  /// Stretches over which the carried rate is a mean.
  static let rateStretches = 180
  /// Requests that are drawn of each row; of more, the first and last half.
  static let barLimit = 600

  let variant: VariantRecord
  let course: BytesCourse
  /// Bytes per second that crossed in each of ``rateStretches``.
  let carried: [Double]
  let rates: [RunRecord.RatePoint]
  let scales: Scales

  var html: String {
    "<div class=\"chart\">\n" + ([rate] + attempts + [bytes] + shown + [axis]).joined()
      + "<div class=\"cursor\" hidden></div></div>\n"
  }

  // MARK: The rows

  private var rate: String {
    let height = 60.0
    var area = "M0 \(Markup.number(height))"
    for (index, rate) in carried.enumerated() {
      let y = Markup.number(height * (1 - scales.rate.share(rate)))
      let left = Double(index) / Double(Self.rateStretches) * Self.width
      let right = Double(index + 1) / Double(Self.rateStretches) * Self.width
      area += "L\(Markup.number(left)) \(y)L\(Markup.number(right)) \(y)"
    }
    area += "L\(Markup.number(Self.width)) \(Markup.number(height))Z"
    return row(
      "link up", note: "what was asked for, and what crossed", height: height,
      marks: ("rate", scales.rate),
      svg: "<path class=\"carried area\" d=\"\(area)\"/>"
        + "<path class=\"asked\" d=\"\(askedPath(height))\"/>")
  }

  /// Everything at once is drawn at the top.
  private func askedPath(_ height: Double) -> String {
    var path = ""
    for (index, point) in rates.enumerated() where point.at < scales.time.end {
      let end =
        index + 1 < rates.count ? min(rates[index + 1].at, scales.time.end) : scales.time.end
      let y = Markup.number(height * (1 - (point.rate.map(scales.rate.share) ?? 1)))
      path += "\(path.isEmpty ? "M" : "L")\(x(point.at)) \(y)L\(x(end)) \(y)"
    }
    return path
  }

  /// A row for each step of a file, and one for the small calls.
  private var attempts: [String] {
    let steps = variant.files.map(\.step).distinct
    let requests = variant.requests.filter { !HealthChecks.isOne($0) }
    let rows = steps.map { step in
      (step, "attempts", requests.filter { $0.step == step })
    }
    let calls = requests.filter { request in !(request.step.map(steps.contains) ?? false) }
    return (rows + [("calls", "record, reading and others", calls)]).compactMap { row in
      row.2.isEmpty ? nil : bars(row.0, note: row.1, row.2)
    }
  }

  private func bars(_ title: String, note: String, _ requests: [RequestRecord]) -> String {
    let half = Self.barLimit / 2
    let drawn =
      requests.count <= Self.barLimit
      ? requests : Array(requests.prefix(half) + requests.suffix(half))
    let left = requests.count - drawn.count
    let lanes = Self.lanes(of: drawn)
    let lanesUsed = (lanes.max() ?? 0) + 1
    let bars = zip(drawn, lanes).map { request, lane in
      let start = scales.time.share(request.at)
      let width = scales.time.share(request.at + request.seconds) - start
      let number = width > 0.025 && request.step != nil ? String(request.attempt) : ""
      return "<i class=\"bar \(Self.barClass(request))\" style=\"left:\(percent(start));"
        + "width:\(percent(width))\(lanesUsed > 1 ? Self.place(inLane: lane) : "")\" title=\"\(Markup.escaped(told(request)))\">\(number)</i>"
    }
    return plain(
      title, note: left > 0 ? "\(note), \(left) more not drawn" : note, class: "bars",
      style: lanesUsed > 1 ? "height:\(lanesUsed * Self.laneHeight)px" : "",
      content: bars.joined())
  }

  /// In pixels, as the style has it.
  private static let laneHeight = 20
  /// More requests at a time lie over each other.
  private static let laneLimit = 6

  /// A lane for each request, so that those of the same time stand below each other.
  private static func lanes(of requests: [RequestRecord]) -> [Int] {
    var ends: [Double] = []
    return requests.map { request in
      let end = request.at + request.seconds
      let free = ends.firstIndex { $0 <= request.at }
      let lane = free ?? (ends.count < laneLimit ? ends.count : laneLimit - 1)
      if lane < ends.count { ends[lane] = max(ends[lane], end) } else { ends.append(end) }
      return lane
    }
  }

  private static func place(inLane lane: Int) -> String {
    ";top:\(lane * laneHeight + 2)px;bottom:auto;height:\(laneHeight - 4)px"
  }

  private static func barClass(_ request: RequestRecord) -> String {
    switch request.status {
    case .some(200..<300) where request.end == "answered": "good"
    case nil where request.end == "open": "open"
    case .some(400...): "refused"
    default: "bad"
    }
  }

  private func told(_ request: RequestRecord) -> String {
    let what = request.stepLabel ?? "\(request.method) \(shortened(request.path, to: 80))"
    let status = request.status.map { ", \($0)" } ?? ""
    return "\(request.capture.map { "\($0), " } ?? "")\(what), attempt \(request.attempt): "
      + "\(sizeText(request.bodyBytes)) from \(secondsText(request.at)), "
      + "\(request.ending) after \(secondsText(request.seconds))\(status)"
  }

  private var bytes: String {
    let height = 150.0
    return row(
      course.isPerAttempt ? "bytes of the file" : "bytes of the run",
      note: course.isPerAttempt ? "each attempt begins at zero" : "files were sent side by side",
      height: height, marks: ("bytes", scales.bytes),
      svg: line("carried", height) { $0.carried } + line("handed", height) { $0.handedOver }
        + line("claimed", height) { $0.claimed })
  }

  private func line(
    _ name: String, _ height: Double, _ value: (BytesCourse.Point) -> Int?
  ) -> String {
    var path = ""
    for piece in course.pieces {
      var isDown = false
      for point in piece {
        guard let value = value(point) else {
          isDown = false
          continue
        }
        let y = Markup.number(height * (1 - scales.bytes.share(Double(value))))
        path += "\(isDown ? "L" : "M")\(x(point.at)) \(y)"
        isDown = true
      }
    }
    return path.isEmpty ? "" : "<path class=\"\(name)\" d=\"\(path)\"/>"
  }

  /// A row for each capture whose lines were shown: a shade for as long as each stood.
  private var shown: [String] {
    ShownLines(variant).rows.map { row in
      var paths = ["", ""]
      var drawn = 0
      for stay in row.stays {
        let (left, right) = (x(stay.at), x(stay.end ?? scales.time.end))
        // What stood for no time would make neighbours of two equal shades.
        guard left != right else { continue }
        paths[drawn % 2] += "M\(left) 0H\(right)V14H\(left)Z"
        drawn += 1
      }
      return self.row(
        "shown", note: row.title, height: 14, marks: nil,
        svg: "<path class=\"even\" d=\"\(paths[0])\"/><path class=\"odd\" d=\"\(paths[1])\"/>")
    }
  }

  private var axis: String {
    let marks = scales.time.marks.enumerated().map { index, mark in
      let share = scales.time.share(mark)
      let place = share > 0.95 ? " last" : ""
      return
        "<span class=\"\(index % 2 == 0 ? "even" : "odd")\(place)\" style=\"left:\(percent(scales.time.share(mark)))\">"
        + "\(PlotAxis.timeText(mark, end: scales.time.end))</span>"
    }
    return plain("link time", note: "", class: "axis", content: marks.joined())
  }

  // MARK: Drawing

  private func row(
    _ title: String, note: String, height: Double, marks: (kind: String, axis: PlotAxis)?,
    svg: String
  ) -> String {
    let h = Markup.number(height)
    let grid = scales.time.marks.map { "M\(x($0)) 0V\(h)" }.joined()
    var words = ""
    if let marks {
      for mark in marks.axis.marks.dropFirst() {
        let text =
          marks.kind == "rate"
          ? DataRate(bytesPerSecond: mark).description : ByteCount(Int(mark)).description
        words +=
          "<span class=\"mark\" style=\"bottom:\(percent(marks.axis.share(mark)))\">\(text)</span>"
      }
    }
    return plain(
      title, note: note, class: "plot", style: "height:\(h)px",
      content: "<svg viewBox=\"0 0 \(Markup.number(Self.width)) \(h)\" preserveAspectRatio=\"none\""
        + " aria-hidden=\"true\"><path class=\"grid\" d=\"\(grid)\"/>\(svg)</svg>\(words)")
  }

  private func plain(
    _ title: String, note: String, class name: String, style: String = "", content: String
  ) -> String {
    let small = note.isEmpty ? "" : "<small>\(Markup.escaped(note))</small>"
    return "<div class=\"label\">\(Markup.escaped(title))\(small)</div>"
      + "<div class=\"\(name)\"\(style.isEmpty ? "" : " style=\"\(style)\"")>\(content)</div>\n"
  }

  private func x(_ seconds: Double) -> String {
    Markup.number(scales.time.share(seconds) * Self.width)
  }

  private func percent(_ share: Double) -> String { "\(trimmed(share * 100, decimals: 3))%" }
}
