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
    static let wallSeconds = 2.5
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
      // A run in doubt on a busy machine agrees with nothing, and says so itself.
      #expect(agreement.disagreements.isEmpty || !agreement.isSound)
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
        let ending = try await Self.compare(file, at: pace, in: scratch)
        if ending.code == 0 { judged += 1 }
        #expect(
          [0, 4].contains(ending.code),
          "\(scenario.text())\(scratch.text(of: "out/\(file)/agreement.md"))\(ending.errors)")
      }
      #expect(judged >= Self.judgedMin)
    }

    /// What a busy machine disturbs, it disturbs less at a slower pace: so each has two tries, and
    /// what differs in both is told.
    private static func compare(
      _ file: String, at pace: Int, in scratch: Scratch
    ) async throws -> OnebarProcess.Ending {
      func run(_ pace: Int) async throws -> OnebarProcess.Ending {
        try await onebar(
          "run", "\(file).yaml", "--time", "\(pace)x", "--against", "virtual", in: scratch)
      }
      let ending = try await run(pace)
      return ending.code == 0 || pace == 1 ? ending : try await run(max(1, pace / 3))
    }

    /// What the virtual world makes of a scenario; nil when it would count or end otherwise on a
    /// link that is a little faster or slower, or fails a little sooner or later: then the smallest
    /// difference decides, and no two runs agree.
    private static func forecast(_ scenario: DrawnScenario) async throws -> VariantRecord? {
      let scratch = try Scratch()
      var words = ["run", "--time", "virtual", "--quiet"]
      let names = ["same", "slower", "faster", "sooner", "later"]
      let texts = [
        scenario.text(), scenario.text(pace: 0.98), scenario.text(pace: 1.02),
        scenario.text(shift: -2), scenario.text(shift: 2),
      ]
      for (name, text) in zip(names, texts) {
        try scratch.write(text, as: "\(name).yaml")
        words.append("\(name).yaml")
      }
      let ending = try await OnebarProcess(words, in: scratch).end()
      #expect(ending.code == 0, "\(ending.errors)\(scenario.text())")
      let records = try names.map { try #require(try scratch.result(of: $0).variants.first) }
      let (first, others) = (records[0], records.dropFirst())
      return others.allSatisfy { Self.isNear($0, first) } ? first : nil
    }

    private static func isNear(_ one: VariantRecord, _ other: VariantRecord) -> Bool {
      guard one.files.map(\.attempts) == other.files.map(\.attempts),
        one.files.map(\.landed) == other.files.map(\.landed), one.parked == other.parked
      else { return false }
      guard let finish = one.finishedAt, let otherFinish = other.finishedAt else {
        return one.finishedAt == other.finishedAt
      }
      return abs(finish - otherFinish) < 4 + 0.03 * finish
    }

    private static func pace(of scenario: DrawnScenario, lasting seconds: Double) -> Int {
      let most = min(
        60, seconds / wallSeconds, scenario.buffer / scenario.rateMax / bufferSeconds)
      return max(1, Int(most))
    }
  }
}
