import Testing

extension EndToEnd {
  /// The link measured by hand; whether this machine keeps up is not judged here.
  @Suite struct SelfTests {
    @Test func `a link is measured at both ends, and what chance decides is left out`() async throws
    {
      let scratch = try Scratch()
      let link = ["--up", "100KB/s", "--latency", "10ms"]
      let steady = try await Self.measure(link, scratch)
      #expect([0, 4].contains(steady.code))
      #expect(
        steady.output.hasPrefix(
          "link up 100 KB/s, latency 0.01 s; down everything at once, latency 0.01 s; buffer 64 KB")
      )
      #expect(Self.measures(steady.output) == ["rate up", "latency up", "latency down", "buffer"])
      #expect(!steady.output.contains("not measured"))

      let chance = ["--jitter", "5ms", "--loss", "1%"]
      let unsteady = try await Self.measure(link + chance, scratch)
      #expect([0, 4].contains(unsteady.code))
      #expect(Self.measures(unsteady.output) == ["rate up", "buffer"])
    }

    private static func measure(
      _ link: [String], _ scratch: Scratch
    ) async throws -> OnebarProcess.Ending {
      try await OnebarProcess(["proxy", "--self-test"] + link, in: scratch).end(within: 60)
    }

    private static func measures(_ output: String) -> [String] {
      output.split(separator: "\n").dropFirst(2).dropLast().map { line in
        String(line.prefix { !$0.isNumber }).split(separator: /\ {2,}/).joined()
      }
    }
  }
}
