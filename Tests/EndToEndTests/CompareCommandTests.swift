import JSON
import Reports
import Testing

extension EndToEnd {
  /// `onebar compare` on what other commands leave.
  @Suite struct CompareCommands {
    /// A result of a run in virtual time, small, and told as if it had been measured at 60x.
    private static func record(_ scratch: Scratch) async throws -> RunRecord {
      var text = ScenarioText.small
      text.variants = [.before, .after]
      try scratch.write(text.text, as: "small.yaml")
      _ = try await onebar("run", "small.yaml", "--time", "virtual", "--quiet", in: scratch)
      var record = Baseline(try scratch.result(of: "small")).record
      record.time = .init(mode: .dilated, factor: 60)
      return record
    }

    /// A folder of results, one for each finish of the second variant.
    private static func write(
      _ record: RunRecord, _ finished: [Double], to folder: String, in scratch: Scratch
    ) throws {
      for (index, seconds) in finished.enumerated() {
        var record = record
        record.variants[1].finishedAt = seconds
        _ = try scratch.folder("\(folder)/small-\(index + 1)")
        try scratch.write(
          ResultFile.text(of: record), as: "\(folder)/small-\(index + 1)/\(ResultFile.name)")
      }
    }

    @Test func `folders of repeats are compared, and swapped sides swap the verdict`() async throws
    {
      let scratch = try Scratch()
      let record = try await Self.record(scratch)
      try Self.write(record, [70.1, 70.4, 70.2], to: "old", in: scratch)
      try Self.write(record, [62.0, 62.3, 62.2], to: "new", in: scratch)
      let better = try await onebar("compare", "old", "new", "--out", "made", in: scratch)
      #expect(better.code == 0, "\(better.errors)")
      #expect(
        better.output.hasPrefix("`new` is better than `old`: of 2 pairs 1 better and 1 same."))
      #expect(
        better.output.contains("- `new` finished 8.1 s sooner than `old` (62.2 s (62 to 62.3 s)"))
      #expect(scratch.names(in: "made") == ["compare.html", "compare.json", "compare.md"])
      #expect(scratch.text(of: "made/compare.html").hasSuffix("</html>\n"))
      let worse = try await onebar("compare", "new", "old", "--json", in: scratch)
      #expect(worse.code == 1)
      guard case .object(let json) = try JSONValue(parsing: worse.output) else {
        Issue.record("no object")
        return
      }
      #expect(json["verdict"] == .string("worse") && json["code"] == JSONValue(1))
      let same = try await onebar("compare", "old", "old", "--markdown", in: scratch)
      #expect(same.code == 0 && same.output.hasPrefix("# old and old\n\n**`old` is the same as"))
      let variants = try await onebar("compare", "--in", "new", in: scratch)
      #expect([0, 1].contains(variants.code) && variants.output.contains("before, 3 runs"))
    }

    @Test func `a broken result among others is told with the way out, and none at all refused`()
      async throws
    {
      let scratch = try Scratch()
      let record = try await Self.record(scratch)
      try Self.write(record, [62, 62.2, 62.1], to: "old", in: scratch)
      try Self.write(record, [62, 62.2, 62.1], to: "new", in: scratch)
      try scratch.write("{", as: "new/small-2/result.json")
      let torn = try await onebar("compare", "old", "new", "--markdown", in: scratch)
      #expect(torn.code == 4)
      #expect(
        torn.output.contains("- Left out: new/small-2/result.json: 1:2: "), "\(torn.output)")
      #expect(torn.output.contains("run it again, or remove new/small-2."))
      #expect(torn.output.contains("after: same"))
      _ = try scratch.folder("empty/small-1")
      let empty = try await onebar("compare", "old", "empty", in: scratch)
      #expect(empty.code == 2)
      #expect(empty.errors.contains("empty: there is no result to read: no result.json in it, nor"))
      try Self.write(record, [62], to: "deep/1/2/3", in: scratch)
      #expect(try await onebar("compare", "old", "deep", in: scratch).code == 2)
      #expect(try await onebar("compare", "old", "deep/1/2", in: scratch).code == 0)
      let both = try await onebar("compare", "old", "new", "--json", "--markdown", in: scratch)
      #expect(both.code == 2 && both.errors.contains("choose one"))
      try scratch.write("", as: "file")
      let nowhere = try await onebar("compare", "old", "new", "--out", "file", in: scratch)
      #expect(nowhere.code == 70 && nowhere.errors.contains("choose another with --out"))
    }

    @Test func `two variants are those of the newest run and its repeats, and of no other`()
      async throws
    {
      let scratch = try Scratch()
      let record = try await Self.record(scratch)
      try Self.write(record, [62, 62.2, 62.1], to: "out", in: scratch)
      var other = record
      other.seed = 8
      _ = try scratch.folder("out/small-408")
      try scratch.write(ResultFile.text(of: other), as: "out/small-408/result.json")
      try scratch.write(ResultFile.text(of: record), as: "out/small-2/result.json")
      let repeats = try await onebar("compare", "before", "after", in: scratch)
      #expect(repeats.output.contains("before, 3 runs"), "\(repeats.errors)")
      #expect(!repeats.output.contains("Only"))
      let neither = try await onebar("compare", "none", "after", in: scratch)
      #expect(neither.code == 2)
      #expect(neither.errors.contains("none: there is no such file or folder, and out/small"))
      #expect(neither.errors.contains("has no variants none and after; it has before, after"))
      // More runs in a folder inside are runs of the same side.
      try Self.write(record, [62], to: "out/more", in: scratch)
      let all = try await onebar("compare", "out", "out", in: scratch)
      #expect(all.output.contains("out, 4 runs"), "\(all.output)")
      // What a run leaves in place would be counted with it.
      let again = try await onebar(
        "run", "small.yaml", "--time", "virtual", "--repeat", "2", in: scratch)
      #expect(again.errors.contains("out/small-3 is of an earlier run; a comparison of out counts"))
    }

    @Test func `200 repeats are compared, and more than a thousand refused`() async throws {
      let scratch = try Scratch()
      var record = try await Self.record(scratch)
      record.variants.removeFirst()
      record.variants.append(record.variants[0])
      record.variants[0].name = "first"
      for index in record.variants.indices {
        record.variants[index].statusLines.lines.removeLast(
          record.variants[index].statusLines.lines.count - 1)
      }
      try Self.write(record, (0..<200).map { 62 + Double($0 % 5) / 10 }, to: "old", in: scratch)
      let ending = try await onebar("compare", "old", "old/small-1", in: scratch, within: 120)
      #expect(ending.code == 0 && ending.output.contains("old, 200 runs"))
      for index in 0...1_000 {
        _ = try scratch.folder("many/\(index)")
        try scratch.write("", as: "many/\(index)/result.json")
      }
      let many = try await onebar("compare", "old", "many", in: scratch)
      #expect(many.code == 2 && many.errors.contains("many: it holds more than 1000 results"))
    }

    @Test func `repeats of a real run, and the parts of a gate, are found as they are written`()
      async throws
    {
      let scratch = try Scratch()
      var text = ScenarioText.small
      (text.copy, text.original, text.horizon) = (40_000, 100_000, 30)
      text.variants = [.after]
      try scratch.write(text.text, as: "small.yaml")
      for folder in ["old", "new"] {
        let run = try await onebar(
          "run", "small.yaml", "--repeat", "2", "--quiet", "--out", folder, in: scratch)
        #expect([0, 4].contains(run.code))
        #expect(scratch.names(in: folder) == ["small-1", "small-2"])
      }
      let real = try await onebar("compare", "old", "new", "--markdown", in: scratch)
      #expect([0, 1, 4].contains(real.code), "\(real.errors)")
      #expect(real.output.contains("attempts of the copy"))
      for part in ["1/2", "2/2"] {
        _ = try await onebar(
          "gate", "small.yaml", "--time", "virtual", "--baseline", "none", "--quiet", "--shard",
          part, "--out", "parts/\(part.prefix(1))", in: scratch)
      }
      let parts = try await onebar("compare", "parts", "parts/1/small", in: scratch)
      #expect(parts.code == 0)
      #expect(parts.output.hasPrefix("`parts/1/small` is the same as `parts`: of "))
    }
  }
}
