import Reports
import Testing

extension EndToEnd {
  @Suite struct Restart {
    struct Kill: CustomTestStringConvertible, Sendable {
      var testDescription: String
      /// In link seconds.
      var at: Int
      /// Of the copy, and of the original.
      var attempts: [Int]
      var replays: [Int]
    }

    static let kills = [
      // Part of the copy is still with the client: that attempt is lost.
      Kill(testDescription: "in the copy", at: 3, attempts: [2, 1], replays: [0, 0]),
      // The path has taken in all of the copy, and delivers it: its receipt finds nobody.
      Kill(testDescription: "before the receipt", at: 9, attempts: [2, 1], replays: [1, 0]),
      Kill(testDescription: "in the original", at: 38, attempts: [1, 2], replays: [0, 0]),
    ]

    @Test(arguments: kills)
    func `a client killed in mid-upload resumes after what has landed`(
      _ kill: Kill
    ) async throws {
      let scratch = try Scratch()
      var scenario = ScenarioText.small
      scenario.horizon = 200
      scenario.variants = [.after, .before]
      scenario.more = """
        acts:
          - { at: \(kill.at) s, do: kill }
          - { at: \(kill.at + 15) s, do: start }
        """
      try scratch.write(scenario.text, as: "killed.yaml")
      let ending = try await onebar("run", "killed.yaml", "--quiet", in: scratch)
      #expect([0, 4].contains(ending.code), "\(ending.errors)")

      for variant in try scratch.result(of: "killed").variants {
        #expect(variant.outcome == .finished)
        #expect(variant.files.allSatisfy { $0.landed && $0.sha256Matches == true })
        #expect(variant.exactlyOnce == ExactlyOnceRecord(moments: 1))
        #expect(variant.files.map(\.attempts) == kill.attempts)
        #expect(variant.files.map(\.replays) == kill.replays)
        // What is stored is sent again only where its receipt was lost.
        #expect(variant.wire.useful == 1_100_000)
        #expect(variant.wire.repeated == (kill.replays == [0, 0] ? 0 : 300_000))
        #expect((variant.wire.abandoned > 0) == (kill.replays == [0, 0]))
        for step in ["record", "turn", "readback"] {
          #expect(variant.requests.count { $0.step == step } == 1, "\(step)")
        }
      }
    }
  }
}
