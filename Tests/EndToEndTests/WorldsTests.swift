import Reports
import Testing

extension EndToEnd {
  /// Real sockets and processes on one side, everything simulated on the other.
  @Suite struct Worlds {
    static let seed: UInt64 = 7
    static let scenarios = 20
    /// A busy machine makes a dilated run inconclusive; that many have to be sound all the same.
    static let judgedMin = 12
    /// Seconds of this machine that a run should last, so that one percent of it can be seen.
    static let wallSeconds = 4.0
    /// And that the buffer should, so that a process that refills it late does not starve the link.
    static let bufferSeconds = 0.01

    @Test(arguments: ["slow-copy", "three-photos"])
    func `a shipped scenario agrees in both worlds`(name: String) async throws {
      let real =
        try await name == "slow-copy" ? Shipped.slowCopy.value : Shipped.threePhotos.value
      let scratch = try Scratch()
      try scratch.write(try Shipped.text(of: name), as: "\(name).yaml")
      let ending = try await onebar("run", "\(name).yaml", "--time", "virtual", in: scratch)
      #expect(ending.code == 0, "\(ending.errors)")
      let agreement = Reports.Agreement(real.record, try scratch.result(of: name))
      #expect(agreement.disagreements.isEmpty)
      #expect(agreement.rows.count > 20)
    }

    @Test func `twenty drawn scenarios agree in both worlds`() async throws {
      var judged = 0
      var number = 0
      for _ in 0..<Self.scenarios {
        var scenario: DrawnScenario
        var forecast: VariantRecord?
        repeat {
          scenario = DrawnScenario(number: number, seed: Self.seed)
          forecast = try await Self.forecast(scenario)
          number += 1
        } while forecast == nil
        let file = "drawn-\(scenario.number)"
        let scratch = try Scratch()
        try scratch.write(scenario.text(), as: "\(file).yaml")
        let pace = Self.pace(of: scenario, lasting: try #require(forecast?.timeline.last).at)
        for pace in [pace, max(1, pace / 3)] {
          let ending = try await onebar(
            "run", "\(file).yaml", "--time", "\(pace)x", "--against", "virtual", in: scratch)
          #expect(
            [0, 4].contains(ending.code),
            "\(scenario.text())\(scratch.text(of: "out/\(file)/agreement.md"))\(ending.errors)")
          if ending.code == 0 {
            judged += 1
            break
          }
        }
      }
      #expect(judged >= Self.judgedMin)
    }

    /// What the virtual world makes of a scenario; nil when it would count otherwise on a link that
    /// is one percent faster or slower: then the smallest difference decides, and no two runs agree.
    private static func forecast(_ scenario: DrawnScenario) async throws -> VariantRecord? {
      let scratch = try Scratch()
      var words = ["run", "--time", "virtual", "--quiet"]
      for (name, pace) in [("same", 1.0), ("slower", 0.99), ("faster", 1.01)] {
        try scratch.write(scenario.text(pace: pace), as: "\(name).yaml")
        words.append("\(name).yaml")
      }
      let ending = try await OnebarProcess(words, in: scratch).end()
      #expect(ending.code == 0, "\(ending.errors)\(scenario.text())")
      let records = try ["same", "slower", "faster"].map {
        try #require(try scratch.result(of: $0).variants.first)
      }
      let counts = records.map { $0.files.map(\.attempts) + [$0.parked ?? -1] }
      let landed = records.map { $0.files.map(\.landed) }
      let isRobust =
        counts.allSatisfy { $0 == counts[0] } && landed.allSatisfy { $0 == landed[0] }
      return isRobust ? records[0] : nil
    }

    private static func pace(of scenario: DrawnScenario, lasting seconds: Double) -> Int {
      let most = min(
        60, seconds / wallSeconds, scenario.buffer / scenario.rate / bufferSeconds)
      return max(1, Int(most))
    }
  }
}
