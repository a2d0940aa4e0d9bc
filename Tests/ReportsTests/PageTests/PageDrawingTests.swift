import Testing

@testable import Reports

@Suite struct PageDrawingTests {
  @Test func `marks stand at round numbers, and none beyond the end`() {
    #expect(PlotAxis(seconds: 900).marks == [0, 120, 240, 360, 480, 600, 720, 840])
    #expect(PlotAxis(seconds: 3).marks == [0, 0.5, 1, 1.5, 2, 2.5, 3])
    #expect(
      PlotAxis(seconds: 7_200).marks == [0, 900, 1_800, 2_700, 3_600, 4_500, 5_400, 6_300, 7_200])
    #expect(PlotAxis(values: 4_310_000).marks == [0, 2_000_000, 4_000_000])
    #expect(PlotAxis(values: 20_000, marks: 2).marks == [0, 20_000])
    for end in [0, 1e-6, 0.3, 1, 59, 61, 86_400, 1e9] {
      for axis in [PlotAxis(seconds: end), PlotAxis(values: end)] {
        #expect((1...14).contains(axis.marks.count), "\(end): \(axis.marks.count)")
        #expect(axis.marks.allSatisfy { (0...axis.end * 1.001).contains($0) })
        #expect(axis.share(-1) == 0 && axis.share(2 * axis.end) == 1)
      }
    }
  }

  @Test func `long times are told in minutes and hours`() {
    #expect(PlotAxis.timeText(120, end: 900) == "120 s")
    #expect(PlotAxis.timeText(900, end: 7_200) == "15 min")
    #expect(PlotAxis.timeText(7_200, end: 86_400) == "2 h")
  }

  @Test func `each attempt begins at zero, before the engine has seen it`() {
    var variant = SlowCopy.before
    variant.requests = [request("copy", at: 0.2, for: 10), request("copy", at: 20.3, for: 5)]
    variant.timeline = [
      .init(at: 0, handedOver: 0, carried: 0), .init(at: 0.1, handedOver: 900, carried: 0),
      .init(at: 5, handedOver: 1_000, carried: 500),
      .init(at: 10, handedOver: 1_000, carried: 800, claimed: 7),
      // Cut: what was queued is gone.
      .init(at: 15, handedOver: 1_010, carried: 800),
      .init(at: 20, handedOver: 1_010, carried: 800),
      // A buffer is full, long before the engine sees the head.
      .init(at: 20.1, handedOver: 1_900, carried: 800),
      .init(at: 20.2, handedOver: 1_900, carried: 800),
      .init(at: 25, handedOver: 2_000, carried: 1_300),
    ]
    let course = BytesCourse(variant)
    #expect(course.isPerAttempt)
    #expect(
      course.pieces == [
        [
          .init(at: 0, handedOver: 0, carried: 0), .init(at: 0.1, handedOver: 900, carried: 0),
          .init(at: 5, handedOver: 1_000, carried: 500),
          .init(at: 10, handedOver: 1_000, carried: 800, claimed: 7),
        ],
        [
          .init(at: 20, handedOver: 0, carried: 0), .init(at: 20.1, handedOver: 890, carried: 0),
          .init(at: 20.2, handedOver: 890, carried: 0),
          .init(at: 25, handedOver: 990, carried: 500),
        ],
      ])
    #expect(course.most == 1_000)
  }

  @Test func `a body that a buffer took in at once begins at zero, too`() {
    var variant = SlowCopy.before
    variant.requests = [request("copy", at: 0.5, for: 10)]
    variant.timeline = [
      .init(at: 0, handedOver: 0, carried: 0), .init(at: 0.1, handedOver: 0, carried: 0),
      .init(at: 0.2, handedOver: 0, carried: 0), .init(at: 0.3, handedOver: 200_000, carried: 0),
      .init(at: 0.4, handedOver: 200_000, carried: 0),
      .init(at: 10, handedOver: 200_000, carried: 190_000),
    ]
    let piece = BytesCourse(variant).pieces[0]
    #expect(piece.first == .init(at: 0.2, handedOver: 0, carried: 0))
    #expect(piece.last == .init(at: 10, handedOver: 200_000, carried: 190_000))
  }

  @Test func `attempts of the same time stand below each other`() {
    var record = SlowCopy.record
    record.variants[0].requests = [
      request("copy", at: 0, for: 10), request("copy", at: 5, for: 10),
      request("copy", at: 11, for: 1),
    ]
    let page = HTMLReport(record).text
    #expect(page.contains("style=\"height:40px\""))
    // The second alone: the third finds the first lane free again.
    #expect(page.ranges(of: "top:22px;bottom:auto;height:16px").count == 1)
    #expect(page.ranges(of: "top:2px;bottom:auto;height:16px").count == 2)
  }

  @Test func `files that are sent side by side are drawn as the run's bytes`() {
    var variant = SlowCopy.before
    variant.requests = [request("copy", at: 0, for: 10), request("original", at: 5, for: 10)]
    let course = BytesCourse(variant)
    #expect(!course.isPerAttempt)
    #expect(course.pieces.map(\.count) == [variant.timeline.count])
  }

  @Test func `a carried rate is the mean of its stretch`() {
    let timeline: [TimelinePoint] = [
      .init(at: 0, handedOver: 0, carried: 0), .init(at: 10, handedOver: 0, carried: 200),
      .init(at: 20, handedOver: 0, carried: 200), .init(at: 30, handedOver: 0, carried: 260),
    ]
    #expect(BytesCourse.carriedRates(timeline, until: 40, count: 4) == [20, 0, 6, 0])
    #expect(BytesCourse.carriedRates(timeline, until: 30, count: 6) == [20, 20, 0, 0, 6, 6])
    #expect(BytesCourse.carriedRates([], until: 30, count: 6) == [])
    #expect(BytesCourse.carriedRates(timeline, until: 0, count: 6) == [])
  }

  @Test func `a line stands until the next one of its capture`() {
    var variant = SlowCopy.after
    variant.files += variant.files.map { file in
      var file = file
      file.capture = "photo-2"
      return file
    }
    variant.statusLines.lines = ["photo-1: a", "photo-2: b", "photo-1: c", "other"].map {
      .init(text: $0, first: 0, last: 0, times: 1)
    }
    variant.statusLines.shown = [(0.0, 0), (1, 1), (2, 2), (3, 3), (4, 0), (5, 9)].map {
      .init(at: $0.0, line: $0.1)
    }
    let rows = ShownLines(variant).rows
    #expect(rows.map(\.title) == ["photo-1", "photo-2", ""])
    #expect(rows[0].stays.map(\.line) == [0, 2, 0])
    #expect(rows[0].stays.map(\.end) == [2, 4, nil])
    #expect(rows[1].stays.map(\.end) == [nil])
  }

  @Test func `a failure has its moment where it began`() {
    func moment(_ name: String, _ variant: VariantRecord) -> Double? {
      let failed = ExpectationRecord(
        variant: variant.name, name: name, expected: "1", measured: "2", pass: false)
      return ExpectationMoment.of(failed, in: variant)
    }
    #expect(moment("attempts.copy", SlowCopy.before) == 131.2)
    #expect(moment("wire.copy", SlowCopy.after) == 0.4)
    #expect(moment("abandoned", SlowCopy.before) == 0.2)
    #expect(moment("finished", SlowCopy.before) == 900)
    #expect(moment("finished", SlowCopy.after) == 305.9)
    #expect(moment("lines.first-live", SlowCopy.after) == 0.9)
    #expect(moment("lines.distinct", SlowCopy.after) == nil)
  }

  private func request(_ step: String, at: Double, for seconds: Double) -> RequestRecord {
    .init(
      at: at, method: "PUT", path: "/", capture: "photo-1", step: step, status: nil,
      seconds: seconds, end: "reset")
  }
}
