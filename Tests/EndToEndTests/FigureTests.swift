import Reports
import Testing

extension EndToEnd {
  /// Clients of others whose lines have figures, on a fast link in real time.
  @Suite struct Figures {
    @Test func `what programs say of their uploads is held against the link`() async throws {
      let scratch = try Scratch()
      let send = "curl -sS -o /dev/null -T {capture} {engine}/files/photo"
      let figures =
        "figures: [{ pattern: '(?<claimed>[0-9.]+) of (?<total>[0-9.]+) MB', unit: MB }, "
        + "{ done: uploaded }]"
      func variant(_ name: String, _ script: String, _ keys: String = "") -> (String, String) {
        (name, "command: [sh, -c, \"\(script)\"], tty: no, \(keys)")
      }
      try scratch.write(
        ForeignClients.scenario(
          [
            variant("honest", "\(send); echo 0.10 of 0.10 MB; echo uploaded", figures),
            variant(
              "liar", "echo 0.09 of 0.10 MB; echo 0.01 of 0.20 MB; echo uploaded; \(send)", figures),
            variant("mute", "echo 0.09 of 0.10 MB; \(send)", "sends: [original]"),
            variant(
              "boaster",
              "n=999999999999999; echo 1 of $n MB; echo $n of 2 MB; echo 1 of 2 MB", figures),
          ],
          more: """
            expect:
              honest: { landed: all, lines.false: 0 }
              liar: { landed: all, lines.false: 3 }
              boaster: { landed: none, lines.false: 2 }
            """), as: "told.yaml")
      let ending = try await onebar("run", "told.yaml", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.output)\(ending.errors)")
      let record = try scratch.result(of: "told")
      #expect(record.expectations.allSatisfy { $0.pass })
      let honesty = record.variants.map(\.honesty)
      #expect(honesty[0]?.claims == 2 && honesty[2] == nil)
      #expect(
        honesty[1]?.findings.map { $0.split(separator: ": ").last.map(String.init) ?? "" } == [
          "the engine's answer to the original had not arrived.", "the file has 100 KB.",
          "the client's sockets had not taken so much.",
        ])
    }

    @Test func `a pattern that is too hard leaves the run in doubt`() async throws {
      let scratch = try Scratch()
      try scratch.write(
        ForeignClients.scenario([
          (
            "hard",
            "command: [sh, -c, \"head -c 300 /dev/zero | tr '\\\\0' a; echo '!'\"], "
              + "figures: { pattern: '(?<claimed>(a+)+)$' }"
          )
        ]), as: "hard.yaml")
      let ending = try await onebar("run", "hard.yaml", in: scratch)
      #expect(ending.code == 4, "\(ending.output)\(ending.errors)")
      let told = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(told.contains("and was given up in 1 line; write patterns"), "\(told)")
    }
  }
}
