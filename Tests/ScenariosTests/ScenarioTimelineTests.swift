import LinkModel
import Quantities
import Testing

@testable import Scenarios

/// The drawing of a scenario, and the sentence below which no client can be.
@Suite struct ScenarioTimelineTests {
  private func scenario(_ changes: (String, String)...) throws -> Scenario {
    try decode(changes.reduce(sound) { $0.replacing(once: $1.0, with: $1.1) }).get()
  }

  private static let second = """
      - photo: { original: 4.31 MB, copy: 1.65 MB }
        at: 0 s
      - photo: { original: 990 KB, copy: 20 KB }
        at: 800 s

    """

  @Test func `link, outage, faults, captures, acts and attempts stand on one axis`() throws {
    let lines = ScenarioTimeline(
      try scenario(
        ("buffer: 1.43 MB", "buffer: 1.43 MB\n  offline: [{ at: 450 s, for: 225 s }]"),
        ("variants:", "acts: [{ at: 600 s, do: kill }, { at: 675 s, do: start }]\nvariants:"))
    ).lines
    #expect(
      lines == [
        "link time             |0 s             |200 s           |400 s            |600 s"
          + "           |800 s",
        "up, 20 KB/s           \(full(39))\(String(repeating: "·", count: 19))▄\(full(19))",
        "down, 200 KB/s        \(full(39))\(String(repeating: "·", count: 19))▄\(full(19))",
        "saved                 1", "kill\(gap(18 + 52))*", "start\(gap(17 + 58))*",
        "before                no forecast: see below",
        "(· nothing crosses; = sending, o landed, x cut by a limit, > still sending at the end)",
      ])
  }

  private func full(_ count: Int) -> String { String(repeating: "█", count: count) }
  private func gap(_ count: Int) -> String { String(repeating: " ", count: count) }

  @Test func `attempts are drawn from their start to how they ended`() throws {
    let lines = ScenarioTimeline(try shippedScenario("slow-copy")).lines
    let before = try #require(lines.first { $0.hasPrefix("before, copy") })
    #expect(before.count { $0 == "x" } == 7)
    #expect(lines.contains("before, original"))
    #expect(lines.contains("after, copy           =======o"))
    #expect(lines.contains("after, original              ===================o"))
  }

  @Test func `no line is wider than a hundred columns, whatever is in the file`() throws {
    let long = String(repeating: "long-name-", count: 4)
    let names = ["slow-copy", "tunnel", "network-switch", "taken-away", "offline-plate"]
    var scenarios = try names.map(shippedScenario)
    scenarios.append(try decode(everything).get())
    scenarios.append(try scenario(("before: {", "\(long): {"), ("  before:\n", "  \(long):\n")))
    for scenario in scenarios {
      let lines = ScenarioTimeline(scenario).lines
      #expect(lines.allSatisfy { $0.count <= ScenarioTimeline.width }, "\(scenario.file)")
      #expect(lines[0].contains("|0 s"))
    }
  }

  @Test func `of very many faults the first are drawn, and the rest counted`() throws {
    var scenario = try scenario()
    scenario.link.faults = (0..<15).map {
      .init(.dark(at: Instant(seconds: Double($0) * 10)))
    }
    let lines = ScenarioTimeline(scenario).lines
    #expect(lines.count { $0.hasPrefix("dark") } == ScenarioTimeline.faultsMax)
    #expect(lines.contains("and 3 faults more"))
  }

  @Test func `no client is done before what is saved late has crossed`() throws {
    // 1.01 MB at 20 KB/s, from 800 s on.
    let late = try scenario(
      ("  - photo: { original: 4.31 MB, copy: 1.65 MB }\n    at: 0 s\n", Self.second))
    #expect(FluidForecast.floor(of: late, for: late.variants) == .milliseconds(850_500))
    let text = ScenarioExplanation(late).text
    #expect(text.contains("All files have crossed the link at 850.5 s at the soonest;"))
    // Saved early, it waits for what is before it: 6.97 MB.
    var early = late
    early.captures[1].at = Instant(seconds: 100)
    #expect(FluidForecast.floor(of: early, for: early.variants) == .milliseconds(348_500))
  }

  @Test func `the floor follows steps, outages and traces`() throws {
    // 2 MB in 100 s, nothing in 50 s, then 3.96 MB at 40 KB/s.
    let steps = try scenario(
      ("up: 20 KB/s", "up: { steps: [{ at: 0 s, rate: 20 KB/s }, { at: 100 s, rate: 40 KB/s }] }"),
      ("buffer: 1.43 MB", "buffer: 1.43 MB\n  offline: [{ at: 100 s, for: 50 s }]"))
    #expect(FluidForecast.floor(of: steps, for: steps.variants) == .seconds(249))
    // 1,460 bytes each 10 ms are 146 KB/s; played once, it carries no more than it has.
    var trace = steps
    trace.link.up = DirectionConditions(rate: .trace(try Trace(parsing: Array("10\n".utf8))))
    let floor = try #require(FluidForecast.floor(of: trace, for: trace.variants))
    #expect(abs(floor.inSeconds - 5_960_000 / 146_000) < 0.02)
    trace.link.up = DirectionConditions(
      rate: .trace(try Trace(parsing: Array("10\n".utf8), playsOnce: true)))
    #expect(FluidForecast.floor(of: trace, for: trace.variants) == nil)
    #expect(
      ScenarioExplanation(trace).text.contains("The link never carries all of the files."))
  }
}
