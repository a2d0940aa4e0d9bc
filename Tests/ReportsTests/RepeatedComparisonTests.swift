import JSON
import Testing

@testable import Reports

/// Several runs on each side.
@Suite struct RepeatedComparisonTests {
  /// `after` in as many runs as there are values.
  private static func runs<Value>(
    _ values: [Value], _ edit: (inout VariantRecord, Value) -> Void
  ) -> [VariantRecord] {
    values.map { value in
      var run = SlowCopy.after
      edit(&run, value)
      return run
    }
  }

  private static func finished(_ values: [Double?]) -> [VariantRecord] {
    runs(values) { $0.finishedAt = $1 }
  }

  private static func row(
    _ measure: String, _ left: [VariantRecord], _ right: [VariantRecord],
    within budget: TimeBudget = .none
  ) throws -> Comparison.Row {
    try #require(
      Comparison(left, right, within: budget).rows.first { $0.measure == measure })
  }

  // MARK: Times and sizes

  @Test func `a difference beyond its interval and the least that counts is told with both`() throws
  {
    let old = Self.finished([348.0, 347.5, 348.5, 348.2, 347.8])
    let new = Self.finished([305.9, 305.4, 306.4, 306.1, 305.7])
    let row = try Self.row("all done at", old, new)
    #expect(row.change == .better)
    #expect(
      row.sentence("`before`", "`after`")
        == "`after` finished 42.1 s sooner than `before` (305.9 s (305.4 to 306.4 s) against 348 s"
        + " (347.5 to 348.5 s); 95 % interval 41.5 to 42.7 s over 5 runs each): better.")
    #expect(row.distance == "-42.1 s, -12.1 %")
    let back = try Self.row("all done at", new, old)
    #expect(back.change == .worse)
    #expect(
      back.sentence("A", "B").hasPrefix("B finished 42.1 s later than A (348 s (347.5 to 348.5 s)"))
  }

  @Test func `a difference that is certain and small is the same`() throws {
    // 2 s of 300 are less than 1 %.
    let row = try Self.row(
      "all done at", Self.finished([300, 300.1, 300.2]), Self.finished([302, 302.1, 302.2]))
    #expect(row.change == .same && row.interval?.contains(0) == false)
    #expect(
      row.sentence("A", "B")
        == "All done at: 302.1 s (302 to 302.2 s) against 300.1 s (300 to 300.2 s), 95 % interval of"
        + " the difference 1.8 to 2.2 s, within 3 s, the least that counts: same.")
  }

  @Test func `in dilated time a difference below the error budget is the same, however certain`()
    throws
  {
    var record = SlowCopy.record
    record.time = .init(mode: .dilated, factor: 60)
    let budget = TimeBudget(of: SlowCopy.after, in: record)
    let old = Self.finished([26, 26.01, 26.02])
    #expect(try Self.row("all done at", old, Self.finished([26.9, 26.91])).change == .worse)
    #expect(
      try Self.row("all done at", old, Self.finished([26.9, 26.91, 26.92]), within: budget).change
        == .same)
    #expect(
      try Self.row("all done at", old, Self.finished([27.1, 27.11, 27.12]), within: budget).change
        == .worse)
  }

  @Test func `runs that vary too much are inconclusive, and say how many more would settle it`()
    throws
  {
    let row = try Self.row(
      "all done at", Self.finished([300, 320, 340]), Self.finished([310, 330, 350]))
    #expect(row.change == .inconclusive)
    #expect(row.runsToSettle == 29)
    #expect(
      row.sentence("A", "B")
        == "All done at: 330 s (310 to 350 s) in B against 320 s (300 to 340 s) in A, 95 % interval"
        + " of the difference -35.3 to 55.3 s, where 3.3 s is the least that counts: inconclusive; 29"
        + " more runs of each would settle it, if they vary as these do.")
  }

  @Test func `the very same values are the same, however much they vary`() throws {
    let runs = Self.finished([300, nil, 320, 340])
    #expect(Comparison(runs, runs.reversed()).rows.allSatisfy { $0.change == .same })
  }

  @Test func `bytes count from half a percent and a packet`() throws {
    func sent(_ bytes: [Int]) -> [VariantRecord] { Self.runs(bytes) { $0.wire.abandoned = $1 } }
    let none = sent([0, 0, 0])
    #expect(try Self.row("abandoned bytes", none, sent([1_460, 1_460, 1_460])).change == .same)
    #expect(try Self.row("abandoned bytes", none, sent([1_461, 1_461, 1_461])).change == .worse)
    #expect(try Self.row("abandoned bytes", none, sent([0, 0, 9_000])).change == .inconclusive)
    let much = sent([10_000_000, 10_000_000])
    #expect(try Self.row("abandoned bytes", much, sent([10_050_000, 10_050_000])).change == .same)
    #expect(try Self.row("abandoned bytes", much, sent([9_900_000, 9_900_000])).change == .better)
  }

  @Test func `one run on a side has no interval, and the budget comes on top`() throws {
    var record = SlowCopy.record
    record.time = .init(mode: .dilated, factor: 60)
    let budget = TimeBudget(of: SlowCopy.after, in: record)
    let old = Self.finished([300, 300.2, 300.4])
    let row = try Self.row("all done at", old, Self.finished([304.1]), within: budget)
    #expect(row.interval == nil && row.change == .same)
    #expect(
      try Self.row("all done at", old, Self.finished([304.5]), within: budget).change == .worse)
  }

  @Test func `one late run does not hide what the others show`() {
    func budget(_ seconds: Double) -> TimeBudget {
      var variant = SlowCopy.after
      variant.instrument.clientLateness = seconds
      return TimeBudget(of: variant, in: SlowCopy.record)
    }
    let typical = TimeBudget(typicalOf: [budget(9), budget(0.1), budget(0.2)])
    #expect(typical.seconds == TimeBudget.dilatedSeconds)
    #expect(TimeBudget(typicalOf: []) == .none)
  }

  // MARK: Counts

  @Test func `a count that every run agrees on is exact`() throws {
    func tried(_ counts: [Int]) -> [VariantRecord] {
      Self.runs(counts) { $0.files[0].attempts = $1 }
    }
    let row = try Self.row("attempts of the copy", tried([7, 7, 7, 7, 7]), tried([1, 1, 1, 1, 1]))
    #expect(
      row.sentence("`before`", "`after`")
        == "`after` made 6 fewer attempts of the copy than `before` (1 in all 5 runs against 7 in all"
        + " 5 runs): better.")
    #expect((row.leftText, row.rightText, row.distance) == ("7", "1", "-6"))
    let varied = try Self.row("attempts of the copy", tried([7, 7, 8]), tried([7, 7, 7]))
    #expect(varied.change == .inconclusive)
    #expect(varied.leftText == "7.3 (7 to 8)")
    #expect(
      try Self.row("attempts of the copy", tried([7, 7, 8]), tried([1, 1, 2])).change == .better)
  }

  @Test func `equal sums of unlike attempts are different`() throws {
    func tried(_ first: Int, _ second: Int) -> VariantRecord {
      var run = SlowCopy.after
      run.files[1].step = "copy"
      (run.files[0].attempts, run.files[1].attempts) = (first, second)
      return run
    }
    #expect(Comparison(tried(1, 2), tried(2, 1)).change == .different)
    #expect(Comparison(tried(1, 2), tried(1, 2)).change == .same)
  }

  @Test func `a run that never came to its end counts as that`() throws {
    let all = Self.finished([305, 306, 305.5, 305.2, 306])
    let never = try Self.row("all done at", all, Self.finished([nil, nil, nil]))
    #expect(never.change == .worse)
    #expect(
      never.sentence("A", "B")
        == "All done at: never in all 3 runs in B against 305.5 s (305 to 306 s) in A: worse.")
    let some = try Self.row("all done at", all, Self.finished([nil, 305, nil, 304, 305]))
    #expect(some.change == .inconclusive)
    #expect(some.rightText == "never in 2 of 5, else 304.7 s (304 to 305 s)")
    #expect(some.interval == nil)
    // Neither side always came, and one came more often.
    let rarely = Self.finished([nil, nil, nil, nil, nil, nil])
    let often = Self.finished([305, 306, nil, 305.2, 306, 304])
    #expect(try Self.row("all done at", rarely, often).change == .better)
    #expect(try Self.row("all done at", often, rarely).change == .worse)
  }

  @Test func `lines are told apart by their words, and exactly by every figure`() {
    func shown(_ text: String) -> VariantRecord {
      var run = SlowCopy.after
      run.statusLines.lines = [.init(text: text, first: 0, last: 0, times: 1)]
      return run
    }
    let old = shown("photo-1: 0.45 of 1.65 MB, 9 s")
    let new = shown("photo-1: 1.02 of 1.65 MB, 10 s")
    #expect(Comparison(old, new).onlyRight == [])
    #expect(Comparison(old, new, exactly: true).onlyRight == ["photo-1: 1.02 of 1.65 MB, 10 s"])
    #expect(Comparison.words(of: "photo-1: 1,02 of 12.5, 3.") == "photo-0: 0 of 0 0")
  }

  // MARK: Wholes

  @Test func `worse outweighs inconclusive, and that what is better`() {
    let changes: [([Comparison.Change], Comparison.Change)] = [
      ([], .same), ([.same, .notMeasured], .same), ([.same, .different], .different),
      ([.better, .different], .better), ([.better, .inconclusive], .inconclusive),
      ([.worse, .inconclusive], .worse), ([.worse, .better], .mixed), ([.mixed, .same], .mixed),
    ]
    for (all, whole) in changes { #expect(Comparison.Change(ofAll: all) == whole, "\(all)") }
  }
}
