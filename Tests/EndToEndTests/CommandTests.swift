import JSON
import Reports
import Testing
import onebar

extension EndToEnd {
  /// The commands beside `run`.
  @Suite struct Commands {
    @Test(arguments: Onebar.table.map(\.path))
    func `help shows an example and every option`(path: [String]) async throws {
      let command = try #require(Onebar.table.first { $0.path == path })
      let scratch = try Scratch()
      let ending = try await OnebarProcess(path + ["--help"], in: scratch).end(within: 20)
      #expect(ending.code == 0)
      #expect(ending.errors.isEmpty)
      #expect(ending.output.contains("usage: onebar \(path.joined(separator: " "))"))
      #expect(ending.output.contains(#/\n\nexamples?\n  onebar /#))
      #expect(ending.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
      for option in command.options {
        #expect(ending.output.contains("  \(option.name)"), "\(option.name)")
      }
    }

    @Test func `the program's help names every command`() async throws {
      let scratch = try Scratch()
      let ending = try await onebar("--help", in: scratch, within: 20)
      #expect(ending.code == 0)
      for command in Onebar.table {
        #expect(ending.output.contains("  \(command.path.joined(separator: " "))"))
      }
      #expect(try await onebar("help", in: scratch, within: 20).output == ending.output)
      for word in ["--version", "-v"] {
        #expect(try await onebar(word, in: scratch, within: 20).output == "onebar 0.1.0\n")
      }
    }

    @Test func `a comparison is worse one way round only`() async throws {
      let scratch = try Scratch()
      var scenario = ScenarioText.small
      scenario.variants = [.before, .after]
      try scratch.write(scenario.text, as: "small.yaml")
      _ = try await onebar("run", "small.yaml", "--quiet", in: scratch)
      // A machine that is busy with other tests makes a run inconclusive; that is not the matter.
      var record = try scratch.result(of: "small")
      record.verdict = .passed
      try scratch.write(ResultFile.text(of: record), as: "out/small/result.json")

      let better = try await onebar("compare", "before", "after", in: scratch, within: 20)
      #expect(better.code == 0, "\(better.output)")
      #expect(better.output.contains("`after` is better than `before`: "))
      let firstTwo = try await onebar("compare", "--in", "out/small", in: scratch, within: 20)
      #expect(firstTwo.code == 0 && firstTwo.output == better.output)
      let worse = try await onebar(
        "compare", "after", "before", "--in", "out/small", "--markdown", in: scratch, within: 20)
      #expect(worse.code == 1)
      #expect(worse.output.contains("| distinct status lines |"))
      let same = try await onebar(
        "compare", "out/small", "out/small/result.json", in: scratch, within: 20)
      #expect(same.code == 0)
      #expect(same.output.contains("before: same") && same.output.contains("after: same"))
      let unknown = try await onebar(
        "compare", "before", "later", "--in", "out/small", in: scratch, within: 20)
      #expect(unknown.code == 2)
      #expect(unknown.errors.contains("it has before, after"))

      record.verdict = .inconclusive
      try scratch.write(ResultFile.text(of: record), as: "doubtful.json")
      let doubtful = try await onebar(
        "compare", "out/small", "doubtful.json", in: scratch, within: 20)
      #expect(doubtful.code == 4)
      record.seed += 1
      try scratch.write(ResultFile.text(of: record), as: "other.json")
      let other = try await onebar("compare", "out/small", "other.json", in: scratch, within: 20)
      #expect(other.code == 3)
      #expect(other.output.contains("The seed of one is 7, of the other 8."))

      let text = scratch.text(of: "out/small/result.json")
      try scratch.write(String(text.prefix(text.count / 2)), as: "torn.json")
      let torn = try await onebar("compare", "torn.json", "out/small", in: scratch, within: 20)
      #expect(torn.code == 2)
      #expect(torn.errors.contains("torn.json: "))
    }

    @Test func `scenario tells what is in a file without running it`() async throws {
      let scratch = try Scratch()
      try scratch.write(try Shipped.text(of: "slow-copy"), as: "slow-copy.yaml")
      let explain = try await onebar("scenario", "explain", "slow-copy.yaml", in: scratch)
      #expect(explain.code == 0)
      #expect(explain.output.contains("forecast: photo-1 copy: attempts 7, wire 9.926 MB"))
      let list = try await onebar("scenario", "list", ".", in: scratch)
      #expect(list.code == 0)
      #expect(list.output.contains("The copy that never landed"))
      let check = try await onebar("scenario", "check", ".", in: scratch)
      #expect(check.code == 0)
      #expect(check.output.contains("slow-copy.yaml"))
      #expect(!scratch.has("out"))
    }

    @Test func `the schema that ships is the one that is printed`() async throws {
      let scratch = try Scratch()
      let schema = try await onebar("scenario", "schema", in: scratch)
      #expect(schema.code == 0)
      #expect(schema.output == (try Shipped.schema))
      _ = try JSONValue(parsing: schema.output)
      for option in ["--result", "--comparison"] {
        let other = try await onebar("scenario", "schema", option, in: scratch)
        #expect(other.code == 0)
        _ = try JSONValue(parsing: other.output)
      }
      let both = try await onebar("scenario", "schema", "--result", "--comparison", in: scratch)
      #expect(both.code == 2)
    }
  }
}
