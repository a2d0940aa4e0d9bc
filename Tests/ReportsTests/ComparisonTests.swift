import Reports
import Testing

extension ResultSet {
  /// Of results without a file.
  init(_ label: String, _ records: [RunRecord], unreadable: [String] = []) {
    self.init(label: label, unreadable: unreadable)
    for (index, record) in records.enumerated() { add(record, from: "\(label)/\(index + 1)") }
  }
}

extension ComparisonReport {
  /// Of one result on each side.
  init(_ left: RunRecord, _ right: RunRecord, labels: (String, String)) {
    self.init(ResultSet(labels.0, [left]), ResultSet(labels.1, [right]))
  }
}

@Suite struct ComparisonTests {
  @Test func `two variants are told side by side, better and worse in words`() throws {
    let report = try #require(
      ComparisonReport(of: Self.slowCopy, left: "before", right: "after"))
    #expect(report.markdown == ComparisonTests.markdown)
    #expect(report.plain == ComparisonTests.plain)
    #expect(!report.change.isWorse)
  }

  @Test func `the other way round it is worse`() throws {
    let report = try #require(
      ComparisonReport(of: Self.slowCopy, left: "after", right: "before"))
    #expect(report.change.isWorse)
    #expect(report.pairs.map(\.comparison.change) == [.worse])
    #expect(ComparisonReport(of: Self.slowCopy, left: "after", right: "mine") == nil)
  }

  private static let slowCopy = ResultSet("out", [SlowCopy.record])

  private func change(
    of measure: String, _ edit: (inout VariantRecord) -> Void
  ) -> Comparison.Change? {
    var right = SlowCopy.after
    edit(&right)
    let comparison = Comparison(SlowCopy.after, right)
    // Nothing else may change with it, or the row proves little.
    let others = comparison.rows.filter { $0.measure != measure && $0.change != .same }
    #expect(others.isEmpty, "\(others)")
    return comparison.rows.first { $0.measure == measure }?.change
  }

  @Test func `a run compared with itself is the same in every row`() {
    let comparison = Comparison(SlowCopy.before, SlowCopy.before)
    #expect(comparison.rows.allSatisfy { $0.change == .same })
    #expect(comparison.change == .same)
    #expect(comparison.rows.contains { $0.measure == "the labels themselves" })
  }

  @Test func `attempts are compared exactly, bytes and times within their tolerance`() {
    #expect(change(of: "attempts of the copy") { $0.files[0].attempts = 2 } == .worse)
    #expect(change(of: "attempts of the copy") { $0.files[0].attempts = 0 } == .worse)
    let wire = "bytes of the original on the wire"
    #expect(change(of: wire) { $0.files[1].wireBytes = 4_331_000 } == .same)
    #expect(change(of: wire) { $0.files[1].wireBytes = 4_332_000 } == .worse)
    #expect(change(of: "all done at") { $0.finishedAt = 308.9 } == .same)
    #expect(change(of: "all done at") { $0.finishedAt = 309.1 } == .worse)
    #expect(change(of: "all done at") { $0.finishedAt = 302 } == .better)
    #expect(change(of: "all done at") { $0.finishedAt = nil } == .worse)
    #expect(change(of: "files landed") { $0.files[1].landed = false } == .worse)
    #expect(change(of: "repeated bytes") { $0.wire.repeated = 1_460 } == .same)
    #expect(change(of: "repeated bytes") { $0.wire.repeated = 1_461 } == .worse)
    #expect(change(of: "useful bytes") { $0.wire.useful = 6_000_000 } == .better)
    #expect(change(of: "overhead bytes") { $0.wire.overhead = 2_000 } == .better)
    #expect(change(of: "false status lines") { $0.honesty?.falseClaims = 1 } == .worse)
    #expect(change(of: "captures lost") { $0.exactlyOnce.lost = 1 } == .worse)
    #expect(change(of: "captures held twice") { $0.exactlyOnce.duplicates = 1 } == .worse)
    #expect(change(of: "captures parked") { $0.parked = 1 } == .worse)
    #expect(
      change(of: "captures not saved") {
        $0.notSaved = [.init(capture: "photo-1", reason: "the disk is full")]
      } == .worse)
  }

  @Test func `lines are compared as counts, and labels as texts`() {
    var left = SlowCopy.after
    (left.statusLines.distinct, left.statusLines.live) = (300, 290)
    var right = left
    (right.statusLines.distinct, right.statusLines.live) = (271, 262)
    #expect(Comparison(left, right).change == .same)
    right.statusLines.distinct = 269
    #expect(Comparison(left, right).change == .worse)

    let first = "first line with live figures"
    #expect(change(of: first) { $0.statusLines.firstLiveAt = 1.899 } == .same)
    #expect(change(of: first) { $0.statusLines.firstLiveAt = 1.901 } == .worse)
    #expect(
      change(of: "longest time without a new line") { $0.statusLines.longestSilence = nil }
        == .notMeasured)

    var renamed = SlowCopy.before
    renamed.statusLines.lines[0].text = "Saved on this device"
    let labels = Comparison(SlowCopy.before, renamed)
    #expect(labels.change == .different)
    #expect(labels.onlyLeft == ["Kept on this device"])
    #expect(labels.onlyRight == ["Saved on this device"])
    #expect(!labels.isWorse)
  }

  @Test func `better in one and worse in another is mixed, and that is worse`() {
    var right = SlowCopy.after
    right.finishedAt = 200
    right.files[0].attempts = 2
    let comparison = Comparison(SlowCopy.after, right)
    #expect(comparison.change == .mixed && comparison.isWorse)
  }

  @Test func `two runs are compared variant by variant, after what a reader must know`() {
    var other = SlowCopy.record
    other.time = .init(mode: .real)
    other.verdict = .inconclusive
    other.variants[1].finishedAt = 306.1
    other.variants[1].wire.useful += 10_000
    other.variants[0].name = "old"
    let report = ComparisonReport(SlowCopy.record, other, labels: ("60x", "1x"))
    #expect(report.mismatches == [])
    #expect(
      report.notes == [
        "`60x` ran in dilated time (60x), `1x` in real time.",
        "Read with care: 1 inconclusive run of `1x` (1x/1).", "Only `60x` has the variant before.",
        "Only `1x` has the variant old.",
        "A side has one run, so there is no interval: times count as the same within 1 % and the"
          + " bench's error budget of 1 s. More runs give one: onebar run --repeat 5.",
      ])
    #expect(report.pairs.map(\.variant) == ["after"])
    #expect(report.markdown.contains("## after: inconclusive"))
    #expect(
      report.markdown.contains("| all done at | 305.9 s | 306.1 s | +0.2 s, +0.1 % | same |"))
    #expect(report.plain.contains("- Only `1x` has the variant old.\n"))
    #expect(report.plain.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(report.exitCode == .inconclusive)
  }

  @Test func `runs of another scenario or seed get no verdict`() {
    var other = SlowCopy.record
    other.scenario.sha256 = "cd34"
    other.seed = 8
    let edited = ComparisonReport(SlowCopy.record, other, labels: ("a", "b"))
    #expect(
      edited.plain == """
        These are not two runs of the same, so there is no verdict:
        - The file scenarios/slow-copy.yaml was edited between them.
        - The seed of one is 7, of the other 8.

        """)
    #expect(edited.pairs.isEmpty && edited.exitCode == .noBaseline)
    other.seed = 7
    other.scenario.file = "scenarios/three-photos.yaml"
    let unlike = ComparisonReport(SlowCopy.record, other, labels: ("a", "b"))
    #expect(
      unlike.markdown.hasSuffix(
        "- One is of the scenario scenarios/slow-copy.yaml, the other of"
          + " scenarios/three-photos.yaml.\n"))
    #expect(SlowCopy.record.mismatches(with: SlowCopy.record) == [])
  }

  @Test func `what the bench cannot tell apart is the same`() {
    // Two runs of a small scenario at 60x, as they came out.
    var record = SlowCopy.record
    record.variants[1].finishedAt = 26
    record.variants[1].statusLines.firstLiveAt = 2
    record.variants[1].wire.abandoned = 100_000
    var again = record
    again.variants[1].finishedAt = 26.9
    again.variants[1].statusLines.firstLiveAt = 0.533
    again.variants[1].wire.abandoned = 118_000
    func compared() -> ComparisonReport {
      ComparisonReport(record, again, labels: ("a", "b"))
    }
    #expect(compared().pairs.map(\.comparison.change) == [.same, .same])
    #expect(compared().exitCode == .passed)
    again.variants[1].finishedAt = 27.3
    #expect(compared().exitCode == .failed)
    // A client that was seen to be late may be as late again.
    again.variants[1].instrument.clientLateness = 1.5
    #expect(compared().exitCode == .passed)
    // In real time the budget is what was measured.
    (record.time.mode, again.time.mode) = (.real, .real)
    again.variants[1].instrument.clientLateness = 0.1
    #expect(compared().exitCode == .failed)
  }

  @Test func `many lines of one side are shown in part, with the count`() {
    var right = SlowCopy.after
    right.name = "other"
    right.statusLines.lines = (0..<100).map {
      .init(text: "line \($0)", first: 0, last: 0, times: 1)
    }
    var record = SlowCopy.record
    record.variants = [SlowCopy.after, right]
    let text = ComparisonReport(of: ResultSet("out", [record]), left: "after", right: "other")?
      .markdown
    // Figures alone make no other line.
    #expect(
      text?.contains("Only other showed 1 kind of line:\n\n- line 0\n")
        == true)
    let exact = Comparison(SlowCopy.after, right, exactly: true)
    #expect(exact.onlyRightCount == 100 && exact.firstOnlyRight.last == "line 4")
    right.statusLines.lines = (0..<300).map {
      .init(text: String(repeating: "x", count: $0 + 1), first: 0, last: 0, times: 1)
    }
    record.variants = [SlowCopy.after, right]
    let many = ComparisonReport(of: ResultSet("out", [record]), left: "after", right: "other")
    #expect(many?.markdown.contains("- xxxxx\n- and 295 more\n") == true)
    #expect(many?.pairs[0].comparison.onlyRight.count == Comparison.textLimit)
  }

  private static let markdown = """
    # before and after

    **`after` is better than `before`: of 19 measures 13 better and 6 same.**

    - A side has one run, so there is no interval: times count as the same within 1 % and the bench's error budget of 1 s. More runs give one: onebar run --repeat 5.

    - `after` made 6 fewer attempts of the copy than `before` (1 against 7): better.
    - `after` made 1 more attempt of the original than `before` (1 against 0): better.
    - `after` put 8.28 MB less of the copy on the wire than `before` (1.65 MB against 9.93 MB): better.
    - `after` put 4.31 MB more of the original on the wire than `before` (4.31 MB against 0 B): better.
    - `after` landed 2 more files than `before` (2 of 2 against 0 of 2): better.
    - All done at: 305.9 s in `after` against never in `before`: better.
    - `after` sent 5.96 MB more that was of use than `before` (5.96 MB against 0 B): better.
    - `after` sent 9.93 MB less for nothing than `before` (0 B against 9.93 MB): better.
    - `after` showed 1 more distinct status line than `before` (3 against 2): better.
    - `after` showed 2 more lines with a new byte count than `before` (2 against 0): better.
    - First line with live figures: 0.9 s in `after` against never in `before`: better.
    - `after` stood still for 69.9 s less at the longest than `before` (1 s against 70.9 s): better.
    - `after` showed 1 fewer false status line than `before` (0 against 1): better.

    |  | before | after | difference | after is |
    | -- | -- | -- | -- | -- |
    | attempts of the copy | 7 | 1 | -6 | better |
    | attempts of the original | 0 | 1 | +1 | better |
    | bytes of the copy on the wire | 9.93 MB | 1.65 MB | -8.28 MB, -83.4 % | better |
    | bytes of the original on the wire | 0 B | 4.31 MB | +4.31 MB | better |
    | files landed | 0 of 2 | 2 of 2 | +2 | better |
    | all done at | never | 305.9 s |  | better |
    | useful bytes | 0 B | 5.96 MB | +5.96 MB | better |
    | repeated bytes | 0 B | 0 B |  | same |
    | abandoned bytes | 9.93 MB | 0 B | -9.93 MB, -100 % | better |
    | overhead bytes | 4 KB | 4 KB |  | same |
    | distinct status lines | 2 | 3 | +1 | better |
    | lines with a new byte count | 0 | 2 | +2 | better |
    | first line with live figures | never | 0.9 s |  | better |
    | longest time without a new line | 70.9 s | 1 s | -69.9 s, -98.6 % | better |
    | false status lines | 1 | 0 | -1 | better |
    | captures lost | 0 | 0 |  | same |
    | captures held twice | 0 | 0 |  | same |
    | captures parked | 0 | 0 |  | same |
    | captures not saved | 0 | 0 |  | same |

    Only before showed 2 kinds of line:

    - Kept on this device
    - Sending

    Only after showed 2 kinds of line:

    - photo-1 \\| kept
    - photo-1: 0.45 of 1.65 MB, 1 s

    """

  private static let plain = """
    `after` is better than `before`: of 19 measures 13 better and 6 same.
    - A side has one run, so there is no interval: times count as the same within 1 % and the bench's
      error budget of 1 s. More runs give one: onebar run --repeat 5.

    - `after` made 6 fewer attempts of the copy than `before` (1 against 7): better.
    - `after` made 1 more attempt of the original than `before` (1 against 0): better.
    - `after` put 8.28 MB less of the copy on the wire than `before` (1.65 MB against 9.93 MB): better.
    - `after` put 4.31 MB more of the original on the wire than `before` (4.31 MB against 0 B): better.
    - `after` landed 2 more files than `before` (2 of 2 against 0 of 2): better.
    - All done at: 305.9 s in `after` against never in `before`: better.
    - `after` sent 5.96 MB more that was of use than `before` (5.96 MB against 0 B): better.
    - `after` sent 9.93 MB less for nothing than `before` (0 B against 9.93 MB): better.
    - `after` showed 1 more distinct status line than `before` (3 against 2): better.
    - `after` showed 2 more lines with a new byte count than `before` (2 against 0): better.
    - First line with live figures: 0.9 s in `after` against never in `before`: better.
    - `after` stood still for 69.9 s less at the longest than `before` (1 s against 70.9 s): better.
    - `after` showed 1 fewer false status line than `before` (0 against 1): better.

                                       before   after    difference         after is
    attempts of the copy               7        1        -6                 better
    attempts of the original           0        1        +1                 better
    bytes of the copy on the wire      9.93 MB  1.65 MB  -8.28 MB, -83.4 %  better
    bytes of the original on the wire  0 B      4.31 MB  +4.31 MB           better
    files landed                       0 of 2   2 of 2   +2                 better
    all done at                        never    305.9 s                     better
    useful bytes                       0 B      5.96 MB  +5.96 MB           better
    repeated bytes                     0 B      0 B                         same
    abandoned bytes                    9.93 MB  0 B      -9.93 MB, -100 %   better
    overhead bytes                     4 KB     4 KB                        same
    distinct status lines              2        3        +1                 better
    lines with a new byte count        0        2        +2                 better
    first line with live figures       never    0.9 s                       better
    longest time without a new line    70.9 s   1 s      -69.9 s, -98.6 %   better
    false status lines                 1        0        -1                 better
    captures lost                      0        0                           same
    captures held twice                0        0                           same
    captures parked                    0        0                           same
    captures not saved                 0        0                           same

    only before showed 2 kinds of line:
    - Kept on this device
    - Sending

    only after showed 2 kinds of line:
    - photo-1 | kept
    - photo-1: 0.45 of 1.65 MB, 1 s

    """
}
