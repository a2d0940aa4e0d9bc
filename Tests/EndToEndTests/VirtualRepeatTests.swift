import FoundationEssentials
import Glibc
import Reports
import Testing

extension EndToEnd {
  /// Runs in virtual time, side by side on several threads.
  @Suite struct VirtualRepeats {
    private static let scenario: ScenarioText = {
      var text = ScenarioText.small
      text.variants = [
        .before, .after, .init(name: "close", settings: "policy: after, cut: close"),
      ]
      return text
    }()

    @Test func `one thread and three give the same bytes, and reports of one repeat`() async throws
    {
      let scratch = try Scratch()
      try scratch.write(Self.scenario.text, as: "all.yaml")
      var outputs: [String] = []
      for threads in ["1", "3"] {
        let ending = try await onebar(
          "run", "all.yaml", "--time", "virtual", "--repeat", "4", "--json", "--jobs", threads,
          "--out", threads, in: scratch)
        #expect(ending.code == 0)
        #expect(ending.errors.contains("every one with the same result, to the byte"))
        #expect(ending.errors.contains("virtual: "))
        #expect(scratch.names(in: threads) == ["all-1"])
        outputs.append(ending.output)
      }
      let lines = outputs[0].split(separator: "\n")
      #expect(lines.count == 4 && Set(lines).count == 1)
      #expect(outputs[0] == outputs[1])
      #expect(
        try scratch.result(of: "all-1", in: "1").variants.map(\.name) == [
          "before", "after", "close",
        ])
      for name in ["result.json", "report.md", "ledger.jsonl"] {
        #expect(scratch.text(of: "1/all-1/\(name)") == scratch.text(of: "3/all-1/\(name)"))
      }
    }

    @Test func `what an earlier run left of a repeat is taken away`() async throws {
      let scratch = try Scratch()
      try scratch.write(Self.scenario.text, as: "all.yaml")
      _ = try scratch.folder("out/all-2")
      try scratch.write("{}", as: "out/all-2/result.json")
      _ = try scratch.folder("out/all-1")
      try scratch.write("They agree.", as: "out/all-1/agreement.md")
      let ending = try await onebar(
        "run", "all.yaml", "--time", "virtual", "--repeat", "2", "--quiet", in: scratch)
      #expect(ending.code == 0)
      #expect(scratch.names(in: "out/all-1") == Scratch.reports)
      #expect(scratch.names(in: "out/all-2").isEmpty)
    }

    @Test func `a signal stops all threads, and what was measured is written`() async throws {
      let scratch = try Scratch()
      try scratch.write(Self.scenario.text, as: "all.yaml")
      let run = try OnebarProcess(
        ["run", "all.yaml", "--time", "virtual", "--repeat", "10000", "--jobs", "3"], in: scratch)
      #expect(await eventually(within: 60) { scratch.has("out/all-1/result.json") })
      run.signal(SIGINT)
      let ending = try await run.end(within: 20)
      #expect(ending.code == 130)
      #expect(try scratch.result(of: "all-1").verdict != .interrupted)
      // One repeat was cut short or none was; those behind it left nothing.
      let others = scratch.names(in: "out").filter { $0 != "all-1" }
      #expect(others.count <= 1)
      for name in others {
        #expect(try scratch.result(of: name).verdict == .interrupted)
      }
    }
  }
}
