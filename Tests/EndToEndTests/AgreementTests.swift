import Reports
import Testing

extension EndToEnd {
  /// Runs beside each other: repeated, with another seed, and at the same time.
  @Suite struct Agreement {
    @Test func `five runs with one seed agree`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      // At 60x one percent of the finish is 10 ms of a machine that others use too.
      let ending = try await onebar(
        "run", "small.yaml", "--quiet", "--repeat", "5", "--time", "20x", in: scratch)
      #expect([0, 4].contains(ending.code))
      let folders = (1...5).map { "small-\($0)" }
      #expect(scratch.names(in: "out") == folders)
      let variants = try folders.flatMap { try scratch.result(of: $0).variants }
      #expect(variants.count == 5)
      let first = try #require(variants.first)
      #expect(first.files.map(\.attempts) == [1, 1])
      #expect(first.files.allSatisfy { $0.landed })
      let finish = try #require(first.finishedAt)
      for other in variants.dropFirst() {
        #expect(other.files.map(\.attempts) == first.files.map(\.attempts))
        #expect(other.files.map(\.landed) == first.files.map(\.landed))
        #expect(
          other.statusLines.lines.map(\.text) == first.statusLines.lines.map(\.text))
        #expect(other.wire.up.isWithin(0.5, of: Double(first.wire.up)))
        #expect(other.wire.useful == first.wire.useful)
        #expect(try #require(other.finishedAt).isWithin(1, of: finish))
      }
    }

    @Test func `another seed makes other ids and the same figures`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      for seed in ["7", "8"] {
        let ending = try await onebar(
          "run", "small.yaml", "--quiet", "--seed", seed, "--out", "out-\(seed)", in: scratch)
        #expect([0, 4].contains(ending.code))
      }
      let (one, other) = (
        try scratch.result(of: "small", in: "out-7"), try scratch.result(of: "small", in: "out-8")
      )
      #expect((one.seed, other.seed) == (7, 8))
      let (left, right) = (try #require(one.variants.first), try #require(other.variants.first))
      #expect(left.requests.map(\.path) != right.requests.map(\.path))
      #expect(left.files.map(\.attempts) == right.files.map(\.attempts))
      #expect(left.files.map(\.wireBytes) == right.files.map(\.wireBytes))
      #expect(try #require(left.finishedAt).isWithin(5, of: try #require(right.finishedAt)))
    }

    @Test func `captures are equal for equal seeds only`() async throws {
      let scratch = try Scratch()
      func capture(_ seed: String, _ folder: String) async throws -> String {
        let ending = try await onebar(
          "capture", "--seed", seed, "--photo", "original=300KB,copy=100KB", "--document", "50KB",
          "--out", folder, in: scratch)
        #expect(ending.code == 0)
        #expect(
          scratch.names(in: folder)
            == ["captures.json", "document-1.pdf", "photo-1-copy.jpg", "photo-1.jpg"])
        return ending.output
      }
      let first = try await capture("7", "first")
      #expect(first == (try await capture("7", "again")))
      #expect(first != (try await capture("8", "other")))
    }

    @Test func `two runs at once keep out of each other's way`() async throws {
      let scratch = try Scratch()
      try scratch.write(ScenarioText.small.text, as: "small.yaml")
      async let left = onebar("run", "small.yaml", "--quiet", "--out", "left", in: scratch)
      async let right = onebar("run", "small.yaml", "--quiet", "--out", "right", in: scratch)
      for (ending, folder) in [(try await left, "left"), (try await right, "right")] {
        #expect([0, 4].contains(ending.code))
        #expect(scratch.names(in: "\(folder)/small") == Scratch.reports)
        let variant = try #require(try scratch.result(of: "small", in: folder).variants.first)
        #expect(variant.outcome == .finished)
        #expect(variant.files.allSatisfy { $0.landed && $0.attempts == 1 })
        #expect(variant.files.allSatisfy { $0.sha256Matches == true })
        #expect(variant.exactlyOnce == ExactlyOnceRecord(moments: 1))
      }
    }
  }
}
