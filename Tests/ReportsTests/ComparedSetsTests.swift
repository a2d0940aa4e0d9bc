import JSON
import Testing

@testable import Reports

/// What stands on both sides of a comparison is paired; the rest is told.
@Suite struct ComparedSetsTests {
  private static func record(
    _ file: String = "scenarios/slow-copy.yaml", _ edit: (inout RunRecord) -> Void = { _ in }
  ) -> RunRecord {
    var record = SlowCopy.record
    record.scenario.file = file
    record.scenario.sha256 = file
    edit(&record)
    return record
  }

  private static func finished(_ seconds: Double) -> RunRecord {
    record { $0.variants[1].finishedAt = seconds }
  }

  private static func report(_ left: [RunRecord], _ right: [RunRecord]) -> ComparisonReport {
    ComparisonReport(ResultSet("old", left), ResultSet("new", right))
  }

  @Test func `repeats are compared as one, and swapped sides swap the verdict`() {
    let slow = [310.0, 310.2, 310.1].map(Self.finished)
    let fast = [305.0, 305.2, 305.1].map(Self.finished)
    let report = Self.report(slow, fast)
    #expect(report.pairs.map(\.title) == ["before", "after"])
    #expect(report.pairs.map(\.change) == [.same, .better])
    #expect(report.notes == [])
    #expect(report.sentence == "`new` is better than `old`: of 2 pairs 1 better and 1 same.")
    #expect(report.exitCode == .passed)
    let swapped = Self.report(fast, slow)
    #expect(swapped.pairs.map(\.change) == [.same, .worse])
    #expect(swapped.exitCode == .failed)
  }

  @Test func `results of different versions are compared, and that is told`() {
    let slow = [310.0, 310.2].map(Self.finished)
    let fast = [305.0, 305.2].map(Self.finished).map { record in
      var record = record
      record.tool.version = "9.9"
      return record
    }
    let versions = "`old` was measured by onebar \(SlowCopy.record.tool.version), `new` by 9.9"
    #expect(
      Self.report(slow, fast).notes == ["\(versions): a difference may be that of the bench."])
  }

  @Test func `scenarios are paired by what they hold, and what one side lacks is told`() {
    let report = Self.report(
      [Self.record("a.yaml"), Self.record("b.yaml"), Self.record("c.yaml")],
      [Self.record("d.yaml"), Self.record("b.yaml"), Self.record("b.yaml") { $0.seed = 8 }])
    #expect(report.pairs.map(\.title) == ["b, before", "b, after"])
    #expect(
      report.notes.dropLast() == [
        "Only `old` has a, seed 7, 1 run in dilated time (60x).",
        "Only `old` has c, seed 7, 1 run in dilated time (60x).",
        "Only `new` has b, seed 8, 1 run in dilated time (60x).",
        "Only `new` has d, seed 7, 1 run in dilated time (60x).",
      ])
    #expect(report.exitCode == .passed)
  }

  @Test func `a scenario that was edited, or has another seed, is refused beside the others`() {
    let report = Self.report(
      [Self.record("a.yaml"), Self.record("b.yaml"), Self.record("c.yaml")],
      [
        Self.record("a.yaml"), Self.record("b.yaml") { $0.scenario.sha256 = "other" },
        Self.record("c.yaml") { $0.seed = 9 },
      ])
    #expect(report.pairs.count == 2 && report.change == .same)
    #expect(
      report.mismatches == [
        "b.yaml: the file b.yaml was edited between them.",
        "c.yaml: the seed of one is 7, of the other 9.",
      ])
    #expect(report.exitCode == .noBaseline)
    #expect(report.plain.contains("- c.yaml: the seed of one is 7, of the other 9.\n"))
  }

  @Test func `the kinds of time are told apart, and paired when each is there once`() {
    func timed(_ mode: RunRecord.Time.Mode) -> RunRecord {
      Self.record { $0.time = .init(mode: mode) }
    }
    let both = Self.report([timed(.real), timed(.virtual)], [timed(.virtual), timed(.real)])
    #expect(
      both.pairs.count == 4 && both.pairs.map(\.comparison.isExact) == [false, false, true, true])
    #expect(!both.notes.contains { $0.contains("ran in") })
    let unlike = Self.report([timed(.real)], [timed(.virtual)])
    #expect(unlike.notes.first == "`old` ran in real time, `new` in virtual time.")
    #expect(unlike.pairs.map(\.comparison.isExact) == [false, false])
  }

  @Test func `in virtual time a byte counts`() {
    func virtual(_ bytes: Int) -> RunRecord {
      Self.record {
        $0.time = .init(mode: .virtual)
        $0.variants[1].wire.overhead = bytes
      }
    }
    let report = Self.report([virtual(4_000)], [virtual(4_001)])
    #expect(report.exitCode == .failed)
    #expect(
      report.plain.contains(
        "- `new` sent 1 B more in heads and small calls than `old` (4001 B against 4000 B): worse.\n"
      ))
  }

  @Test func `a run that proves nothing is left out, unless none does`() {
    let doubtful = Self.record {
      $0.verdict = .inconclusive
      $0.variants[1].finishedAt = 900
    }
    let stopped = Self.record { $0.verdict = .interrupted }
    let report = Self.report(
      [doubtful, Self.record(), stopped, Self.record()], [Self.record(), Self.record()])
    #expect(
      report.notes == [
        "Left out: 1 inconclusive run of `old` (old/1).",
        "Left out: 1 interrupted run of `old` (old/3).",
      ])
    #expect(report.pairs.allSatisfy { $0.change == .same && $0.isSound })
    #expect(report.pairs[1].comparison.rows[0].left.values.count == 2)
    #expect(report.exitCode == .passed)
    let none = Self.report([doubtful], [Self.record()])
    #expect(none.exitCode == .inconclusive)
    #expect(none.notes.first == "Read with care: 1 inconclusive run of `old` (old/1).")
    #expect(
      none.plain.hasPrefix("It is inconclusive whether `new` is better than `old`: of 2 pairs 2"))
  }

  @Test func `what cannot be read makes the whole inconclusive, unless it is worse`() {
    let torn = ResultSet("old", [Self.record()], unreadable: ["Left out: x: torn."])
    let report = ComparisonReport(torn, ResultSet("new", [Self.record()]))
    #expect(report.notes.first == "Left out: x: torn.")
    #expect(report.pairs.map(\.change) == [.same, .same])
    #expect(report.change == .inconclusive && report.exitCode == .inconclusive)
    let worse = ComparisonReport(torn, ResultSet("new", [Self.finished(400)]))
    #expect(worse.change == .worse && worse.exitCode == .failed)
  }

  @Test func `nothing in common is nothing to compare`() {
    let report = Self.report(
      [Self.record("a.yaml"), Self.record("b.yaml")], [Self.record("c.yaml")])
    #expect(report.exitCode == .noBaseline && report.pairs.isEmpty)
    #expect(
      report.plain.hasPrefix("Nothing stands on both sides, so there is nothing to compare.\n"))
  }

  @Test func `two variants are compared in each scenario that has them, over its repeats`() throws {
    let other = Self.record("b.yaml") { $0.variants.removeFirst() }
    let set = ResultSet("out", [Self.record(), Self.record(), other, Self.record("c.yaml")])
    let report = try #require(ComparisonReport(of: set, left: "before", right: "after"))
    #expect(report.pairs.count == 2 && report.pairs.allSatisfy { $0.variant.isEmpty })
    #expect(report.pairs.map { $0.comparison.rows[0].left.values.count } == [1, 2])
    #expect(
      report.notes.contains("b, seed 7, 1 run in dilated time (60x): it has not both variants."))
    #expect(ComparisonReport(of: set, left: "before", right: "mine") == nil)
  }

  @Test func `of many repeats one keeps its timeline, and 200 are compared like two`() {
    let runs = (0..<200).map { Self.finished(305 + Double($0 % 7) / 10) }
    let set = ResultSet("old", runs)
    #expect(set.results.count { !$0.record.variants[0].timeline.isEmpty } == 1)
    let report = ComparisonReport(set, ResultSet("new", runs))
    #expect(report.pairs.map(\.change) == [.same, .same])
    #expect(report.plain.contains("all done at"))
  }

  @Test func `very many pairs stay under 64 KB in Markdown, and say so`() {
    let many = (0..<40).map { Self.record("s\($0).yaml") }
    let report = Self.report(many, many)
    #expect(report.pairs.count == 80)
    #expect(report.markdown.utf8.count < MarkdownReport.byteLimit)
    #expect(report.markdown.hasSuffix("\nCut; the whole is in compare.json.\n"))
  }

  // MARK: compare.json

  @Test func `the file says all of it, survives reading, and its schema has every key`() throws {
    let report = Self.report(
      [310.0, 310.2].map(Self.finished), [305.0, 305.2, 305.1].map(Self.finished))
    let file = ComparisonFile(report)
    let json = try JSONValue(parsing: file.text)
    #expect(try ComparisonFile(json: json, at: "") == file)
    #expect(file.text == ComparisonFile(report).text)
    #expect(file.code == .passed && file.verdict == .better)
    let done = try #require(file.pairs[1].rows.first { $0.measure == "all done at" })
    #expect(done.left.values == [310, 310.2] && done.difference == -5)
    #expect(done.sentence.hasSuffix(": better.") && done.interval?.high ?? 0 < 0)
    guard case .object(let written) = json,
      case .object(let schema) = try JSONValue(parsing: ComparisonFile.jsonSchema),
      case .object(let properties)? = schema["properties"]
    else {
      Issue.record("no object")
      return
    }
    #expect(written.keys.sorted() == properties.keys.sorted())
    #expect(written["schema"] == JSONValue(ComparisonFile.schemaNumber))
  }
}
