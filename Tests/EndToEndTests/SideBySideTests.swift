import Glibc
import Reports
import Scenarios
import TestSupport
import Testing
import UploadAdapters

@testable import Bench
@testable import onebar

extension EndToEnd {
  /// Real runs that share this machine.
  @Suite struct SideBySide {
    /// A second on a fast link.
    private static func text(_ variants: [ScenarioText.Variant]) -> ScenarioText {
      var text = ScenarioText(
        up: 200, buffer: 200_000, copy: 300_000, original: 400_000, horizon: 60)
      text.variants = variants
      return text
    }

    private static func scenario(_ text: ScenarioText) throws -> Scenario {
      try ScenarioDecoder(digest: { _ in "" }, load: { _ in nil })
        .decode(Array(text.text.utf8), file: "side.yaml").get()
    }

    private static func run(_ text: ScenarioText, executable: String) throws -> ScenarioRun {
      let scenario = try scenario(text)
      return ScenarioRun(
        scenario, variants: scenario.variants, mode: .dilated, captures: CaptureStock(),
        executable: executable, tool: .init(version: "test"))
    }

    @Test func `one that breaks does no harm to its neighbours`() async throws {
      let good = try Self.run(Self.text([.before, .after]), executable: OnebarProcess.executable)
      let bad = try Self.run(Self.text([.after]), executable: "/bin/false")
      // On a thread of its own: it blocks the signals that it watches for.
      let made = inBackground {
        Result {
          let interruption = try Interruption()
          let runs = try VariantRuns([bad, good, bad], threads: 4, interruption: interruption)
          func make(_ run: ScenarioRun) throws -> RunRecord {
            try run.run(interruption: interruption, from: runs) { _ in }.record
          }
          #expect(throws: (any Error).self) { try make(bad) }
          let record = try make(good)
          #expect(record.variants.map(\.name) == ["before", "after"])
          #expect(record.variants.map(\.outcome) == [.finished, .finished])
          #expect(throws: (any Error).self) { try make(bad) }
        }
      }
      try #require(made.wait()).get()
    }

    @Test func `results come in the order of the plans`() async throws {
      let scratch = try Scratch()
      // The first takes longest.
      var long = Self.text([.before, .after])
      long.up = 40
      try scratch.write(long.text, as: "a.yaml")
      try scratch.write(Self.text([.after]).text, as: "b.yaml")
      let ending = try await onebar(
        "run", "a.yaml", "b.yaml", "--jobs", "3", "--json", in: scratch)
      #expect(ending.code == 0 || ending.code == 4, "\(ending.errors)")
      let records = try ending.output.split(separator: "\n").map {
        try ResultFile.record(from: String($0))
      }
      #expect(records.map(\.scenario.file) == ["a.yaml", "b.yaml"])
      #expect(records.map { $0.variants.map(\.name) } == [["before", "after"], ["after"]])
      #expect(records.allSatisfy { $0.variants.allSatisfy { $0.outcome == .finished } })
      #expect(scratch.names(in: "temporary").isEmpty)
    }

    @Test func `a signal ends all that run, and each writes what it measured`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText().text, as: "a.yaml")
      try scratch.write(ScenarioText().text, as: "b.yaml")
      try scratch.write(ScenarioText().text, as: "c.yaml")
      let run = try OnebarProcess(["run", ".", "--jobs", "2"], in: scratch)
      #expect(await eventually(within: 30) { run.children.count == 2 })
      let clients = run.children
      try await Task.sleep(for: .milliseconds(500))
      run.signal(SIGINT)
      let ending = try await run.end(within: 20)
      #expect(ending.code == 130)
      #expect(ending.seconds < 14, "the horizon alone takes 15 s")
      for name in ["a", "b"] {
        #expect(try scratch.result(of: name).verdict == .interrupted)
        #expect(try scratch.result(of: name).variants.map(\.outcome) == [.interrupted])
        #expect(scratch.names(in: "out/\(name)") == Scratch.reports)
      }
      #expect(scratch.names(in: "out/c").isEmpty)
      #expect(!clients.contains(where: OnebarProcess.isRunning))
    }

    @Test func `what was inconclusive is made again alone, then slower, in its folder`() throws {
      func rounds(jobs: Int?, slower: Int) -> [String] {
        Gate(updates: false, jobs: jobs, slower: slower, quiet: true).rounds.map {
          "\($0.jobs.map(String.init) ?? "usual")\($0.slows ? " slower" : "")"
        }
      }
      #expect(rounds(jobs: nil, slower: 2) == ["usual", "1", "1 slower", "1 slower"])
      #expect(rounds(jobs: 4, slower: 0) == ["4", "1"])
      #expect(rounds(jobs: 1, slower: 1) == ["1", "1 slower"])
      let scratch = try Scratch()
      let scenario = try Self.scenario(Self.text([.after]))
      var plans = [
        PlannedRun(
          scenario, scenario.variants, mode: .dilated, in: scratch.path, captures: CaptureStock())
      ]
      #expect(try PlannedRun.prepare(&plans))
      let slower = plans[0].paced(plans[0].run.mode.halved)
      #expect(slower.run.mode.text == "30x")
      // Where its case of the baseline goes.
      #expect(slower.folder?.path == "\(scratch.path)/side")
      #expect(TimeMode.real.halved == .real)
    }

    @Test func `repeats in virtual time that differ are a fault of the bench`() async throws {
      let scratch = try Scratch()
      let first = try Self.scenario(Self.text([.before]))
      var second = first
      second.horizon = .seconds(5)
      let stock = CaptureStock()
      let plans = [first, second].enumerated().map { index, scenario in
        PlannedRun(
          scenario, scenario.variants, mode: .virtual, number: index + 1, repeats: 2,
          in: scratch.path, captures: stock)
      }
      let code = inBackground {
        Result {
          try RunSession(jobs: 1, output: .init(quiet: true, json: false)).perform(plans)
        }
      }
      #expect(try #require(code.wait()).get() == .benchBroke)
      #expect(scratch.names(in: "side-2") == Scratch.reports)
    }
  }
}
