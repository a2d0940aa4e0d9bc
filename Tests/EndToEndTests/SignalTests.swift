import FoundationEssentials
import Glibc
import Reports
import Testing

extension EndToEnd {
  /// A run that is stopped from outside leaves its figures, and nothing else.
  @Suite struct Signals {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a run stopped in the middle writes what it measured and cleans up`(
      signal: Int32
    ) async throws {
      let scratch = try Scratch()
      let (run, client, work) = try await Signals.startedRun(in: scratch)
      run.signal(signal)
      let ending = try await run.end(within: 20)
      #expect(ending.code == 130)
      #expect(ending.seconds < 12, "the horizon alone takes 15 s")
      let record = try scratch.result(of: "stopped")
      #expect(record.verdict == .interrupted)
      #expect(record.variants.map(\.outcome) == [.interrupted])
      #expect(try #require(record.variants.first).files.map(\.attempts) == [1, 0])
      #expect(scratch.text(of: "out/stopped/report.md").contains("nterrupted"))
      #expect(scratch.names(in: "out/stopped") == Scratch.reports)
      let ledger = scratch.text(of: "out/stopped/ledger.jsonl").split(separator: "\n")
      #expect(ledger.last?.contains(#""summary":{"#) == true)
      #expect(ledger.contains { $0.contains(#""end":"open","ended_by":null,"phase":"body""#) })
      #expect(!OnebarProcess.isRunning(client))
      #expect(!FileManager.default.fileExists(atPath: work))
      #expect(scratch.names(in: "temporary").isEmpty)
    }

    @Test func `a second signal changes nothing`() async throws {
      let scratch = try Scratch()
      let (run, client, work) = try await Signals.startedRun(in: scratch)
      for _ in 0..<5 { run.signal(SIGINT) }
      #expect(try await run.end(within: 20).code == 130)
      #expect(try scratch.result(of: "stopped").verdict == .interrupted)
      #expect(!OnebarProcess.isRunning(client))
      #expect(!FileManager.default.fileExists(atPath: work))
    }

    @Test func `a client ends by itself when its bench is killed, and the next such run clears up`()
      async throws
    {
      let scratch = try Scratch()
      let (run, client, work) = try await Signals.startedRun(in: scratch)
      run.signal(SIGKILL)
      #expect(try await run.end(within: 20).code == -SIGKILL)
      #expect(await eventually(within: 5) { !OnebarProcess.isRunning(client) })
      #expect(scratch.names(in: "out/stopped").isEmpty)
      #expect(FileManager.default.fileExists(atPath: work))
      let (next, _, _) = try await Signals.startedRun(in: scratch)
      #expect(!FileManager.default.fileExists(atPath: work))
      next.signal(SIGINT)
      #expect(try await next.end(within: 20).code == 130)
    }

    @Test func `a client that is ended from outside ends the run, and the report says how`()
      async throws
    {
      let scratch = try Scratch()
      let (run, client, _) = try await Signals.startedRun(in: scratch)
      kill(client, SIGKILL)
      let code = try await run.end(within: 20).code
      // On a machine that is too busy the run is inconclusive.
      #expect(code == 0 || code == 4)
      let variant = try #require(try scratch.result(of: "stopped").variants.first)
      #expect(variant.outcome == .clientEnded)
      #expect(variant.clientEnd == "by signal 9")
      #expect(
        scratch.text(of: "out/stopped/report.md").contains("no, the client ended by signal 9"))
    }

    @Test func `a client that was stopped for five minutes goes on once it is woken`() async throws
    {
      let scratch = try Scratch()
      var scenario = ScenarioText(buffer: 200_000)
      scenario.variants = [.after]
      // The engine waits a minute for a body, and then for no more of it.
      let (run, client, _) = try await Signals.startedRun(scenario, in: scratch) {
        $0.replacing(
          "turn: { takes: 5 s }",
          with: "turn: { takes: 5 s }\n  script: [{ when: { step: copy }, times: 1, "
            + "then: { at: { silence: 60 s }, close: end } }]")
      }
      kill(client, SIGSTOP)
      try await Task.sleep(for: .seconds(5))
      kill(client, SIGCONT)
      let code = try await run.end(within: 60).code
      // Its timers were late by five minutes: the run can prove nothing of its pace.
      #expect(code == 0 || code == 4)
      let variant = try #require(try scratch.result(of: "stopped").variants.first)
      #expect(variant.outcome == .finished)
      #expect(variant.files.allSatisfy { $0.landed })
      #expect(variant.files.allSatisfy { $0.attempts <= 3 })
      #expect(variant.exactlyOnce.duplicates == 0 && variant.exactlyOnce.lost == 0)
    }

    @Test func `a run at 1x keeps its files in the temporary folder, and removes them`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "stopped.yaml")
      let run = try OnebarProcess(["run", "stopped.yaml", "--time", "1x"], in: scratch)
      #expect(await eventually(within: 20) { !scratch.names(in: "temporary").isEmpty })
      #expect(await eventually(within: 20) { !run.children.isEmpty })
      run.signal(SIGINT)
      #expect(try await run.end(within: 20).code == 130)
      #expect(scratch.names(in: "temporary").isEmpty)
    }

    /// A run whose client has begun to send, its client, and the folder in memory that it works in.
    ///
    /// The folder is known by the name of the capture in it, which no other run has.
    private static func startedRun(
      _ scenario: ScenarioText = ScenarioText(), in scratch: Scratch,
      changing change: (String) -> String = { $0 }
    ) async throws -> (run: OnebarProcess, client: pid_t, work: String) {
      var scenario = scenario
      scenario.captureName = "stopped-\(UInt32.random(in: 0 ... .max))"
      try scratch.write(change(scenario.text), as: "stopped.yaml")
      let run = try OnebarProcess(["run", "stopped.yaml"], in: scratch)
      var work: String?
      let isSending = await eventually(within: 30) {
        work = workFolder(of: scenario.captureName)
        return work != nil && run.children.count == 1
      }
      try #require(isSending)
      // A second is a link minute: the first of the seven attempts.
      try await Task.sleep(for: .milliseconds(800))
      return (run, try #require(run.children.first), try #require(work))
    }

    private static func workFolder(of capture: String) -> String? {
      let parent = "/dev/shm"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
      return names.map { "\(parent)/\($0)" }.first {
        FileManager.default.fileExists(atPath: "\($0)/captures/\(capture).jpg")
      }
    }
  }
}
