import Reports
import Testing

@Suite struct ComparisonTests {
  @Test func `two variants are told side by side, better and worse in words`() throws {
    let report = try #require(
      ComparisonReport(of: SlowCopy.record, left: "before", right: "after"))
    #expect(report.markdown == ComparisonTests.markdown)
    #expect(report.plain == ComparisonTests.plain)
    #expect(!report.isWorse)
  }

  @Test func `the other way round it is worse`() throws {
    let report = try #require(
      ComparisonReport(of: SlowCopy.record, left: "after", right: "before"))
    #expect(report.isWorse)
    #expect(report.pairs.map(\.comparison.change) == [.worse])
    #expect(ComparisonReport(of: SlowCopy.record, left: "after", right: "mine") == nil)
  }

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
        "60x ran in dilated time (60x), 1x in real time.",
        "Read with care: 1x is inconclusive.", "Only 60x has the variant before.",
        "Only 1x has the variant old.",
      ])
    #expect(report.pairs.map(\.variant) == ["after"])
    #expect(report.markdown.contains("## after: same"))
    #expect(report.markdown.contains("| all done at | 305.9 s | 306.1 s | 1.00 times | same |"))
    #expect(report.plain.contains("- Only 1x has the variant old.\n"))
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
    let text = ComparisonReport(of: record, left: "after", right: "other")?.markdown
    #expect(text?.contains("Only other showed 100 lines:\n\n- line 0\n") == true)
    #expect(text?.contains("- line 4\n- and 95 more\n") == true)
  }

  private static let markdown = """
    # before and after

    ## after against before: better

    |  | before | after | distance | after is |
    | -- | -- | -- | -- | -- |
    | attempts of the copy | 7 | 1 | -6 | better |
    | attempts of the original | 0 | 1 | +1 | better |
    | bytes of the copy on the wire | 9.93 MB | 1.65 MB | -83.4 % | better |
    | bytes of the original on the wire | 0 B | 4.31 MB | from nothing | better |
    | files landed | 0 of 2 | 2 of 2 | +2 | better |
    | all done at | never | 305.9 s |  | better |
    | useful bytes | 0 B | 5.96 MB | from nothing | better |
    | repeated bytes | 0 B | 0 B |  | same |
    | abandoned bytes | 9.93 MB | 0 B | -100 % | better |
    | overhead bytes | 4 KB | 4 KB |  | same |
    | distinct status lines | 2 | 3 | +1 | better |
    | lines with a new byte count | 0 | 2 | +2 | better |
    | first line with live figures | never | 0.9 s |  | better |
    | longest time without a new line | 70.9 s | 1 s | 0.01 times | better |
    | false status lines | 1 | 0 | -1 | better |
    | captures lost | 0 | 0 |  | same |
    | captures held twice | 0 | 0 |  | same |
    | captures parked | 0 | 0 |  | same |
    | captures not saved | 0 | 0 |  | same |

    Only before showed 2 lines:

    - Kept on this device
    - Sending

    Only after showed 3 lines:

    - photo-1 | kept
    - photo-1: 0.45 of 1.65 MB, 1 s
    - photo-1: 4.31 of 4.31 MB, 300 s

    """

  private static let plain = """
    after against before: better

                                       before   after    distance      after is
    attempts of the copy               7        1        -6            better
    attempts of the original           0        1        +1            better
    bytes of the copy on the wire      9.93 MB  1.65 MB  -83.4 %       better
    bytes of the original on the wire  0 B      4.31 MB  from nothing  better
    files landed                       0 of 2   2 of 2   +2            better
    all done at                        never    305.9 s                better
    useful bytes                       0 B      5.96 MB  from nothing  better
    repeated bytes                     0 B      0 B                    same
    abandoned bytes                    9.93 MB  0 B      -100 %        better
    overhead bytes                     4 KB     4 KB                   same
    distinct status lines              2        3        +1            better
    lines with a new byte count        0        2        +2            better
    first line with live figures       never    0.9 s                  better
    longest time without a new line    70.9 s   1 s      0.01 times    better
    false status lines                 1        0        -1            better
    captures lost                      0        0                      same
    captures held twice                0        0                      same
    captures parked                    0        0                      same
    captures not saved                 0        0                      same

    only before showed 2 lines:
    - Kept on this device
    - Sending

    only after showed 3 lines:
    - photo-1 | kept
    - photo-1: 0.45 of 1.65 MB, 1 s
    - photo-1: 4.31 of 4.31 MB, 300 s

    """
}
