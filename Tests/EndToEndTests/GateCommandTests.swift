import Glibc
import Reports
import TestSupport
import Testing

@testable import onebar

extension EndToEnd {
  /// The gate as CI runs it; in virtual time, whose results are the same each time.
  @Suite struct GateCommands {
    private static let expectation = """
      expect:
        before: { attempts: each 1 }
      """

    private static func scenarios(_ scratch: Scratch, expecting more: String = expectation) throws {
      _ = try scratch.folder("s")
      var text = ScenarioText.small
      text.more = more
      try scratch.write(text.text, as: "s/one.yaml")
      text.captureName = "other"
      try scratch.write(text.text, as: "s/two.yaml")
    }

    private static func gate(
      _ words: String..., environment: [String] = [], in scratch: Scratch
    ) async throws -> OnebarProcess.Ending {
      try await OnebarProcess(
        ["gate", "s", "--time", "virtual"] + words, in: scratch, environment: environment
      ).end()
    }

    @Test func `a gate needs a baseline, writes it when told, and then passes`() async throws {
      let scratch = try Scratch()
      try Self.scenarios(scratch)
      let first = try await Self.gate(in: scratch)
      #expect(first.code == 3)
      #expect(first.output.contains("no baseline reports/baseline/one.virtual.json"))
      let update = try await Self.gate("--update-baseline", in: scratch)
      #expect(update.code == 0)
      #expect(
        scratch.names(in: "reports/baseline") == ["one.virtual.json", "two.virtual.json"])
      let second = try await Self.gate(in: scratch)
      #expect(second.code == 0)
      #expect(second.output.hasSuffix("The gate is passed: 2 scenarios.\n"))
      #expect(scratch.has("out/gate.json") && scratch.has("out/gate.md"))
      #expect(scratch.text(of: "out/one/junit.xml").contains("no worse than the baseline"))
    }

    @Test func `a scenario that the bench cannot run is told, and others are gated`() async throws {
      let scratch = try Scratch()
      try Self.scenarios(scratch)
      // A copy has fewer pixels, which cannot hold as many bytes.
      var text = ScenarioText.small
      (text.original, text.copy) = (5_000_000, 4_900_000)
      try scratch.write(text.text, as: "s/broken.yaml")
      let ending = try await Self.gate("--baseline", "none", in: scratch)
      #expect(ending.code == 70)
      #expect(ending.output.contains("bench broke: broken: broke"))
      #expect(ending.output.contains("pass: one: passed") && ending.output.contains("pass: two"))
      #expect(scratch.text(of: "out/gate.md").contains("cannot be made as large as 4900000 bytes"))
    }

    @Test func `a gate that is stopped lists what was not run`() async throws {
      let scratch = try Scratch()
      _ = try scratch.folder("s")
      for name in ["a", "b", "c", "d"] {
        try scratch.write(ScenarioText().text, as: "s/\(name).yaml")
      }
      let gate = try OnebarProcess(
        ["gate", "s", "--time", "60x", "--jobs", "1", "--baseline", "none"], in: scratch)
      #expect(await eventually(within: 30) { gate.children.count == 1 })
      gate.signal(SIGTERM)
      let ending = try await gate.end(within: 20)
      #expect(ending.code == 130)
      let report = try GateReport(parsing: scratch.text(of: "out/gate.json"))
      #expect(report.findings.map(\.scenario) == ["a", "b", "c", "d"])
      #expect(report.findings.map(\.code) == Array(repeating: .interrupted, count: 4))
      #expect(report.findings.map(\.verdict).dropFirst() == ["not run", "not run", "not run"])
    }

    @Test func `a result that is worse than its baseline is red, with the sentence`() async throws {
      let scratch = try Scratch()
      try Self.scenarios(scratch)
      _ = try await Self.gate("--update-baseline", in: scratch)
      // As if an earlier version had needed a byte less.
      let name = "reports/baseline/one.virtual.json"
      let old = try ResultFile.record(from: scratch.text(of: name))
      var better = old
      better.variants[0].wire.overhead -= 1
      try scratch.write(ResultFile.text(of: better), as: name)
      let ending = try await Self.gate(in: scratch)
      #expect(ending.code == 1)
      #expect(ending.output.contains("before: overhead bytes: worse than the baseline"))
      #expect(ending.output.contains("pass: two: passed, baseline same"))
      #expect(scratch.text(of: "out/one/junit.xml").contains("failures=\"1\""))
      // What was accepted is said, and passes from then on.
      let update = try await Self.gate("--update-baseline", in: scratch)
      #expect(update.code == 0 && update.output.contains("overhead bytes: worse"))
      #expect(try await Self.gate(in: scratch).code == 0)
    }

    @Test func `a failed expectation is an annotation at its line, and no baseline`() async throws {
      let scratch = try Scratch()
      try Self.scenarios(scratch, expecting: "expect:\n  before: { landed: none }")
      let ending = try await Self.gate(
        "--update-baseline",
        environment: ["GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=\(scratch.path)/summary.md"],
        in: scratch)
      #expect(ending.code == 1)
      let line = scratch.text(of: "s/one.yaml").split(
        separator: "\n", omittingEmptySubsequences: false
      ).firstIndex { $0.contains("landed: none") }.map { $0 + 1 }
      #expect(
        ending.output.contains(
          "::error file=s/one.yaml,line=\(try #require(line)),title=one::before: files that landed:"
            + " expected none, measured all: every file has its receipt.\n"))
      #expect(scratch.text(of: "summary.md").hasPrefix("# The gate is not passed: 2 of 2"))
      #expect(scratch.names(in: "reports/baseline").isEmpty)
    }

    @Test func `a baseline of something else, or no baseline at all, is refused`() async throws {
      let scratch = try Scratch()
      try Self.scenarios(scratch)
      _ = try await Self.gate("--update-baseline", in: scratch)
      try scratch.write("{", as: "reports/baseline/one.virtual.json")
      try scratch.write(
        scratch.text(of: "s/two.yaml") + "\n# edited\n", as: "s/two.yaml")
      let ending = try await Self.gate(in: scratch)
      #expect(ending.code == 3)
      #expect(ending.output.contains("one.virtual.json: 1:2:"), "\(ending.output)")
      #expect(ending.output.contains("two.virtual.json is no baseline for this run"))
      #expect(try await Self.gate("--baseline", "none", in: scratch).code == 0)
    }

    @Test func `parts are gated apart and merged, by option and by environment`() async throws {
      let scratch = try Scratch()
      try Self.scenarios(scratch)
      let first = try await Self.gate(
        "--baseline", "none", "--shard", "1/2", "--out", "parts/1", in: scratch)
      #expect(first.code == 0)
      #expect(first.output.contains("1 scenario of part 1/2"))
      let alone = try await OnebarProcess(["merge", "parts"], in: scratch).end()
      #expect(alone.code == 2 && alone.errors.contains("part 2/2 is missing"))
      let second = try await Self.gate(
        "--baseline", "none", "--out", "parts/2",
        environment: ["JOB_COMPLETION_INDEX=1", "ONEBAR_SHARDS=2"], in: scratch)
      #expect(second.code == 0)
      let whole = try await OnebarProcess(["merge", "parts"], in: scratch).end()
      #expect(whole.code == 0)
      #expect(whole.output.hasSuffix("The gate is passed: 2 scenarios.\n"))
    }

    @Test func `a part that no CI system can mean is refused`() throws {
      func shard(_ values: [String: String]) -> String? {
        do throws(ArgumentError) {
          return try PipelineEnvironment { values[$0] }.shard().text
        } catch {
          return nil
        }
      }
      #expect(shard([:]) == "1/1")
      #expect(shard(["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"]) == "2/3")
      #expect(shard(["CI_NODE_TOTAL": "1", "CI_NODE_INDEX": "1"]) == "1/1")
      #expect(shard(["JOB_COMPLETION_INDEX": "0", "ONEBAR_SHARDS": "3"]) == "1/3")
      #expect(shard(["JOB_COMPLETION_INDEX": "0"]) == nil)
      #expect(shard(["JOB_COMPLETION_INDEX": "3", "ONEBAR_SHARDS": "3"]) == nil)
      #expect(shard(["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"]) == nil)
      #expect(shard(["CI_NODE_TOTAL": "3"]) == nil)
      #expect(shard(["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "y"]) == nil)
    }
  }
}
