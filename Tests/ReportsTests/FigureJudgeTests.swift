import Captures
import Quantities
import Reports
import Scenarios
import Testing

/// Figures in the lines of a client that is not ours: each falsehood is found, and its true twin
/// passes.
@Suite struct FigureJudgeTests {
  private static let size = 400_000

  private func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }

  /// An upload that brings 20 KB in each second from its head on, which needs 0.1 s.
  private func request(
    from start: Double, to end: Double?, status: Int? = nil, step: StepName = .original,
    stored: Bool = false
  ) -> RunTruth.Request {
    let last = min(end ?? start + 20, start + 20)
    return .init(
      capture: "photo-1", step: step, startedAt: at(start), begunAt: at(start - 0.1),
      endedAt: end.map(at), status: status,
      storedSHA256: stored ? "\(step)" : nil,
      trail: ByteCourse([
        .init(at: at(start), bytes: 0), .init(at: at(last), bytes: Int((last - start) * 20_000)),
      ]))
  }

  /// 0.1 s each way, and the answer to a photo of 400 KB is sent at 20.1 s.
  private func truth(_ requests: [RunTruth.Request]? = nil) -> RunTruth {
    var truth = RunTruth()
    truth.files = [
      .init(capture: "photo-1", step: .original, bytes: Self.size, sha256: "original")
    ]
    truth.requests = requests ?? [request(from: 0.1, to: 20.1, status: 201, stored: true)]
    truth.carried = truth.requests.first?.trail ?? ByteCourse()
    truth.latencyUp = .milliseconds(100)
    truth.latencyDown = .milliseconds(100)
    truth.endedAt = at(60)
    return truth
  }

  private func line(
    _ text: String, _ seconds: Double, _ unit: FigureUnit = .percent, total: String? = nil,
    rate: String? = nil, isDone: Bool = false, taken: Int = size
  ) -> ShownLine {
    let claim = FigureClaim(
      claimed: isDone ? nil : Figure(text, unit: unit),
      total: total.flatMap { Figure($0, unit: unit) },
      rate: rate.flatMap { Figure($0, unit: .bytes) }, isDone: isDone)
    return ShownLine(text, at: at(seconds), claim: .figures(claim), taken: taken)
  }

  private func done(_ seconds: Double) -> ShownLine { line("uploaded", seconds, isDone: true) }

  /// What was false of each line; nil of one that was true.
  private func kinds(
    _ lines: [ShownLine], _ truth: RunTruth? = nil
  ) -> [LineVerdict.Falsehood?] {
    LineJudge(truth ?? self.truth()).verdicts(of: lines).map { verdict in
      if case .isFalse(let kind, _, _) = verdict.truth { kind } else { nil }
    }
  }

  @Test func `done is false until the answer has crossed the link, and true from then on`() {
    #expect(kinds([done(1), done(20.19), done(20.2)]) == [.done, .done, nil])
  }

  @Test func `done is false of an answer that refuses, and of another file`() {
    let refused = truth([request(from: 0.1, to: 20.1, status: 503)])
    #expect(kinds([done(30)], refused) == [.done])
    var other = truth([
      request(from: 0.1, to: 5, status: 201, step: .copy, stored: true),
      request(from: 6, to: nil),
    ])
    other.files.append(.init(capture: "photo-1", step: .copy, bytes: 100_000, sha256: "copy"))
    #expect(kinds([done(5.5), done(8)], other) == [nil, .done])
  }

  @Test func `more than the whole file is false, and the whole of it is not`() {
    #expect(kinds([line("100", 20)]) == [nil])
    #expect(kinds([line("101", 20)]) == [.total])
    #expect(kinds([line("100.1", 20)]) == [.total])
    #expect(kinds([line("400000", 20, .bytes)]) == [nil])
    #expect(kinds([line("400001", 20, .bytes)]) == [.total])
    // Cut off, or rounded up.
    #expect(kinds([line("390", 20, .kibibytes), line("391", 20, .kibibytes)]) == [nil, nil])
    #expect(kinds([line("392", 20, .kibibytes)]) == [.total])
  }

  @Test func `a total that is not the size is false, as finely as it is shown`() {
    func kinds(_ total: String, _ unit: FigureUnit) -> [LineVerdict.Falsehood?] {
      self.kinds([line("0", 1, unit, total: total)])
    }
    #expect(kinds("400000", .bytes) == [nil])
    #expect(kinds("400001", .bytes) == [.total])
    #expect(kinds("0.40", .megabytes) == [nil])
    #expect(kinds("0.41", .megabytes) == [.total])
    #expect(kinds("0.39", .megabytes) == [.total])
    #expect(kinds("390", .kibibytes) == [nil])
    #expect(kinds("400", .kibibytes) == [.total])
  }

  @Test func `a count that goes back is false within an attempt, and true in the next one`() {
    let twice = truth([request(from: 0.1, to: 5), request(from: 6.1, to: nil)])
    let lines = [line("50", 3), line("49", 4), line("50", 4.5), line("0", 6), line("10", 8)]
    #expect(kinds(lines, twice) == [nil, .backwards, nil, nil, nil])
    // 97 KiB may be the 99,999 bytes that were shown before.
    let curl = [line("99999", 3, .bytes), line("97", 4, .kibibytes), line("96", 5, .kibibytes)]
    #expect(kinds(curl) == [nil, nil, .backwards])
  }

  @Test func `what may be of either of two uploads never goes back`() {
    // The client gave the first up at 6 s, and the path went on with it.
    let twice = truth([request(from: 0.1, to: 13), request(from: 6.1, to: nil)])
    let lines = [line("100", 0.1), line("10", 6), line("5", 7), line("50", 14), line("49", 15)]
    #expect(kinds(lines, twice) == [nil, nil, nil, nil, .backwards])
    let verdict = LineJudge(twice).verdicts(of: lines)[1]
    #expect(verdict.claimed == 40_000 && verdict.ahead == 40_000)
  }

  @Test func `figures of two files at once are of neither`() {
    var both = truth([
      request(from: 0.1, to: nil), request(from: 0.2, to: nil, step: .copy),
    ])
    both.files.append(.init(capture: "photo-1", step: .copy, bytes: 100_000, sha256: "copy"))
    let verdict = LineJudge(both).verdicts(of: [line("0.50", 1, .megabytes, total: "0.50")])[0]
    #expect(verdict.claimed == 500_000)
    #expect(kinds([line("0.50", 1, .megabytes, total: "0.50", taken: 600_000)], both) == [nil])
    #expect(LineJudge(both).verdicts(of: [line("50", 1)])[0].claimed == nil)
  }

  @Test func `bytes that no socket had taken are false, and those that one had are not`() {
    #expect(kinds([line("50", 1, taken: 199_999)]) == [nil])
    #expect(kinds([line("50", 1, taken: 195_999)]) == [.notTaken])
    #expect(kinds([line("0.20", 1, .megabytes, taken: 190_001)]) == [nil])
    #expect(kinds([line("0.20", 1, .megabytes, taken: 189_999)]) == [.notTaken])
  }

  @Test func `what had been taken of a request stays so when its engine gives it up`() {
    let lines = [line("50", 3, taken: 200_000), line("50", 4, taken: 10_000)]
    #expect(kinds(lines) == [nil, nil])
  }

  @Test func `a rate is false when it is no rate of any time up to then`() {
    func kinds(_ rate: String, at seconds: Double) -> [LineVerdict.Falsehood?] {
      self.kinds([line("50", seconds, rate: rate)])
    }
    #expect(kinds("20k", at: 10) == [nil])
    #expect(kinds("23000", at: 10) == [nil])
    #expect(kinds("26000", at: 10) == [.rate])
    #expect(kinds("388k", at: 10) == [.rate])
    #expect(kinds("0", at: 10) == [.rate])
    // The mean of the whole attempt, which has stood still since, and that of the last seconds.
    #expect(kinds("10000", at: 40.1) == [nil])
    #expect(kinds("0", at: 40.1) == [nil])
    // Buffers fill.
    #expect(kinds("388k", at: 1.5) == [nil])
  }

  @Test func `how far a share is ahead of the link is measured, and judged by nobody`() {
    // 100 KB have crossed at 5.1 s.
    let verdict = LineJudge(truth()).verdicts(of: [line("100", 5.1)])[0]
    #expect(verdict.truth == .isTrue)
    #expect(verdict.claimed == 400_000 && verdict.ahead == 300_000)
  }

  @Test func `a line before the first head is about the request that is on its way`() {
    let verdict = LineJudge(truth()).verdicts(of: [line("100", 0.02)])[0]
    #expect(verdict.claimed == 400_000 && verdict.ahead == 400_000)
  }

  @Test func `a share of a file that nobody can name claims no bytes, and is not false`() {
    var truth = truth([])
    truth.files.append(.init(capture: "photo-2", step: .original, bytes: 9, sha256: "x"))
    let verdict = LineJudge(truth).verdicts(of: [line("300", 1)])[0]
    #expect(verdict.truth == .isTrue && verdict.claimed == nil && verdict.ahead == nil)
  }

  @Test func `a false line stands until the next one with figures`() throws {
    let report = HonestyReport(
      [
        done(1), ShownLine("a remark", at: at(2), claim: nil), line("50", 4), done(30),
      ], truth: truth())
    let record = try #require(report.record)
    #expect(record.claims == 3 && record.falseClaims == 1)
    #expect(record.worstSeconds == 3 && record.worstMegabytes == 0.382)
    #expect(
      record.findings == [
        "\"uploaded\", shown at 1 s, was false, for 3 s: the engine's answer to the original had "
          + "not arrived."
      ])
  }

  @Test func `lines without figures leave honesty unknown`() {
    let report = HonestyReport([ShownLine("100 %", at: at(1), claim: nil)], truth: truth())
    #expect(report.record == nil)
  }

  @Test func `the course of what was claimed follows the figures, and done is all of the file`() {
    let report = HonestyReport(
      [line("25", 1), line("50", 3), done(4), ShownLine("x", at: at(5), claim: nil)],
      truth: truth())
    var points = (0...5).map { TimelinePoint(at: Double($0), handedOver: 0, carried: 0) }
    report.enter(in: &points)
    #expect(points.map(\.claimed) == [nil, 100_000, 100_000, 200_000, 400_000, nil])
  }
}
