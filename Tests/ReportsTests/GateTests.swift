import Testing

@testable import Reports

@Suite struct GateTests {
  private static var passed: RunRecord {
    var record = SlowCopy.record
    record.expectations = [record.expectations[0]]
    record.verdict = .passed
    return record
  }

  private static func virtual(_ record: RunRecord) -> RunRecord {
    var record = record
    record.time = .init(mode: .virtual)
    return record
  }

  // MARK: Baselines

  @Test func `a baseline is named by its scenario and kind of time, and holds what is compared`() {
    let baseline = Baseline(Self.passed)
    #expect(Baseline.fileName(of: Self.passed) == "slow-copy.dilated.json")
    #expect(baseline.record.variants.allSatisfy { $0.requests.isEmpty && $0.timeline.isEmpty })
    #expect(baseline.record.variants[1].statusLines.lines == SlowCopy.after.statusLines.lines)
    guard case .compared(let pairs) = baseline.standing(of: Self.passed) else {
      Issue.record("it is not compared with itself")
      return
    }
    #expect(pairs.map(\.variant) == ["before", "after"])
    #expect(pairs.allSatisfy { $0.comparison.change == .same })
  }

  /// What makes a baseline one of something else, and the words for it.
  static let unlike: [(String, @Sendable (inout RunRecord) -> Void, String)] = [
    ("file", { $0.scenario.sha256 = "cd34" }, "was edited between them"),
    ("seed", { $0.seed = 8 }, "the seed of one is 7, of the other 8"),
    ("kind of time", { $0.time = .init(mode: .virtual) }, "this in virtual time"),
    ("version", { $0.tool.version = "0.2" }, "the baseline is of onebar 0.1, this of 0.2"),
    ("variants", { $0.variants.removeLast() }, "the variants before and after, this before"),
  ]

  @Test(arguments: unlike)
  func `a baseline of something else is refused, and says of what`(
    what: String, change: @Sendable (inout RunRecord) -> Void, words: String
  ) {
    var record = Self.passed
    change(&record)
    let standing = Baseline(Self.passed).standing(of: record)
    #expect(standing.code == .noBaseline)
    let sentence = standing.sentences(file: "b.json").joined()
    #expect(sentence.contains(words), "\(sentence)")
    #expect(sentence.contains("--update-baseline"))
  }

  @Test func `the pace of a dilated run may differ from its baseline's`() {
    var record = Self.passed
    record.time.factor = 20
    #expect(Baseline(Self.passed).standing(of: record).code == .passed)
  }

  @Test func `in virtual time one byte more is worse, in others it is not`() {
    for (record, code) in [(Self.passed, ExitCode.passed), (Self.virtual(Self.passed), .failed)] {
      var more = record
      more.variants[0].wire.abandoned += 1
      let standing = Baseline(record).standing(of: more)
      #expect(standing.code == code)
      guard code == .failed else { continue }
      #expect(standing.word == "worse")
      #expect(
        standing.sentences(file: "").contains {
          $0.hasPrefix(
            "before: abandoned bytes: worse than the baseline, 9926000 B then, 9926001 B now")
        })
    }
  }

  @Test func `another line in virtual time is told as a diff, and is no failure`() {
    let record = Self.virtual(Self.passed)
    var other = record
    other.variants[1].statusLines.lines[1].text = "photo-1: 0.46 of 1.65 MB, 1 s"
    let standing = Baseline(record).standing(of: other)
    #expect(standing.code == .passed)
    #expect(standing.word == "different")
    let sentences = standing.sentences(file: "")
    #expect(sentences.contains("after: - photo-1: 0.45 of 1.65 MB, 1 s"))
    #expect(sentences.contains("after: + photo-1: 0.46 of 1.65 MB, 1 s"))
  }

  @Test func `a run that proves nothing is not held against a baseline`() {
    var record = Self.passed
    record.verdict = .inconclusive
    #expect(Baseline(Self.passed).standing(of: record) == .unjudged)
  }

  // MARK: Findings

  @Test func `what the bench could not do is told, and passes no gate`() {
    var finding = GateFinding(Self.passed, .notAsked, baselineFile: "")
    finding.add(broken: [])
    #expect(finding.code == .passed && finding.remarks.isEmpty)
    finding.add(broken: ["out/x/report.md cannot be written: the disk is full"])
    #expect(finding.code == .benchBroke && finding.verdict == "passed")
    #expect(
      finding.remarks.map(\.text) == ["out/x/report.md cannot be written: the disk is full"])
    #expect(
      GateReport(findings: [finding]).plain.contains("The gate is not passed: 1 of 1 scenario."))
    // Its record ends where the bench broke, as that of an interrupted one does.
    var record = Self.passed
    record.verdict = .interrupted
    var broken = GateFinding(record, .unjudged, baselineFile: "")
    broken.add(broken: ["the system gives no thread"])
    #expect(broken.code == .benchBroke)
    let unmade = GateFinding(scenario: "x", notBegun: "x.yaml")
    #expect(GateReport(findings: [finding, unmade]).code == .interrupted)
  }

  @Test func `a failed expectation is told with its line, and a doubt instead of it`() {
    var record = SlowCopy.record
    record.expectations[1].line = 61
    let failed = GateFinding(record, .notAsked, baselineFile: "")
    #expect(failed.code == .failed)
    #expect(failed.remarks.map(\.line) == [61])

    record.verdict = .inconclusive
    record.doubts = ["the timers were late"]
    let doubted = GateFinding(record, .notAsked, baselineFile: "")
    #expect(doubted.code == .inconclusive)
    #expect(doubted.remarks.map(\.text) == ["In doubt: the timers were late"])
  }

  @Test func `a missing baseline is no pass`() {
    let finding = GateFinding(Self.passed, .missing, baselineFile: "base/x.json")
    #expect(finding.code == .noBaseline)
    #expect(finding.remarks[0].text.hasPrefix("There is no baseline base/x.json;"))
  }

  // MARK: Reports

  private static let report = GateReport(findings: [
    GateFinding(
      scenario: "good", file: "s/good.yaml", code: .passed, verdict: "passed", baseline: "same",
      remarks: []),
    GateFinding(
      scenario: "bad", file: "s/b,ad.yaml", code: .failed, verdict: "failed", baseline: "worse",
      remarks: [
        .init("after: 100 % | more\n<b>", line: 7, isFatal: true), .init("for you", isFatal: false),
      ]),
  ])

  @Test func `the gravest finding is the gate's code`() {
    #expect(Self.report.code == .failed)
    #expect(GateReport(findings: []).code == .passed)
    #expect(Self.report.sentence == "The gate is not passed: 1 of 2 scenarios.")
  }

  @Test func `the summary begins with the table, and no remark breaks it`() {
    #expect(
      Self.report.markdown == """
        # The gate is not passed: 1 of 2 scenarios.

        | scenario | verdict | against the baseline | gate |
        | -- | -- | -- | -- |
        | good | passed | same | pass |
        | bad | failed | worse | FAIL |

        ## bad

        - `s/b,ad.yaml:7` after: 100 % \\| more &lt;b>
        - for you

        """)
  }

  @Test func `annotations are one line each, and only of what is fatal`() {
    #expect(
      Self.report.annotations
        == "::error file=s/b%2Cad.yaml,line=7,title=bad::after: 100 %25 | more%0A<b>\n")
  }

  @Test func `a summary of very many remarks stays under 64 KB`() {
    let remarks = (0..<500).map {
      GateFinding.Remark(String(repeating: "x", count: 400) + "\($0)", isFatal: true)
    }
    let finding = GateFinding(
      scenario: "s", file: "s.yaml", code: .failed, verdict: "failed", baseline: "–",
      remarks: remarks)
    let text = GateReport(findings: Array(repeating: finding, count: 40)).markdown
    #expect(text.utf8.count < 64_000)
    #expect(text.contains("and 480 more in gate.json"))
    #expect(text.hasSuffix("Cut; the whole is in gate.json.\n"))
  }

  @Test func `a gate's file is read back as it was written`() throws {
    #expect(try GateReport(parsing: Self.report.fileText) == Self.report)
    #expect(throws: (any Error).self) { try GateReport(parsing: "{}") }
    #expect(throws: (any Error).self) {
      try GateReport(parsing: Self.report.fileText.replacing("\"code\": 1", with: "\"code\": 9"))
    }
  }

  // MARK: Parts

  @Test func `each scenario falls to exactly one part`() {
    let items = Array(0..<23)
    for count in 1...30 {
      let parts = (1...count).map { Shard(number: $0, count: count).share(of: items) }
      #expect(parts.flatMap(\.self).sorted() == items)
      #expect((parts.map(\.count).max() ?? 0) - (parts.map(\.count).min() ?? 0) <= 1)
    }
  }

  @Test(arguments: ["", "1", "0/2", "3/2", "a/b", "1/2/3", "-1/2", "1/0", "1/1001", "1/"])
  func `what is no part is refused`(text: String) {
    #expect(Shard(parsing: text) == nil)
  }

  @Test func `parts are merged when all are there, once`() throws {
    func part(_ number: Int, of count: Int) -> GateReport {
      GateReport(
        shard: .init(number: number, count: count),
        findings: [
          GateFinding(
            scenario: "s\(number)", file: "s\(number)", code: number == 2 ? .failed : .passed,
            verdict: "passed", baseline: "–", remarks: [])
        ])
    }
    let whole = try GateReport(merging: [part(3, of: 3), part(1, of: 3), part(2, of: 3)])
    #expect(whole.shard == .whole)
    #expect(whole.findings.map(\.scenario) == ["s1", "s2", "s3"])
    #expect(whole.code == .failed)
    func error(_ parts: [GateReport]) -> GateMergeError? {
      do throws(GateMergeError) {
        _ = try GateReport(merging: parts)
        return nil
      } catch {
        return error
      }
    }
    #expect(error([]) == .nothing)
    #expect(error([part(1, of: 2)]) == .missing(.init(number: 2, count: 2)))
    #expect(
      error([part(1, of: 2), part(2, of: 2), part(2, of: 2)])
        == .twice(.init(number: 2, count: 2)))
    #expect(
      error([part(1, of: 2), part(2, of: 3)]) == .unlike(.init(number: 2, count: 3), 2))
  }
}
