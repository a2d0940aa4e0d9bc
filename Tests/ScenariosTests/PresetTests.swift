import LinkModel
import Quantities
import Scenarios
import Testing

private func link(_ keys: String) throws -> Scenario {
  let rates = "  up: 20 KB/s\n  down: 200 KB/s\n  latency: 100 ms\n  buffer: 1.43 MB"
  return try decode(sound.replacing(once: rates, with: "  " + keys)).get()
}

@Test func `a preset gives both rates and both latencies, and the file the buffer`() throws {
  let scenario = try link("{ preset: nlc-edge, buffer: 64 KB }")
  let preset = try #require(LinkPreset(named: "nlc-edge"))
  #expect(scenario.preset == preset)
  #expect(scenario.link == preset.conditions(buffer: .kilobytes(64)))
}

@Test func `up, down and latency go over the preset, each by itself`() throws {
  let preset = try #require(LinkPreset(named: "nlc-edge"))
  var over = preset.conditions(buffer: .kilobytes(64))
  over.up.rate = .limited(.kilobytes(7))
  #expect(try link("{ preset: nlc-edge, up: 7 KB/s, buffer: 64 KB }").link == over)
  over.down.rate = .unlimited
  #expect(
    try link("{ down: unlimited, preset: nlc-edge, up: 7 KB/s, buffer: 64 KB }").link == over)
  over.up.latency = .milliseconds(5)
  over.down.latency = .milliseconds(5)
  let all = "{ down: unlimited, preset: nlc-edge, latency: 5 ms, up: 7 KB/s, buffer: 64 KB }"
  #expect(try link(all).link == over)
  #expect(try link(all).preset == preset)
}

@Test func `a preset still needs a buffer`() {
  let rates = "  up: 20 KB/s\n  down: 200 KB/s\n  latency: 100 ms\n  buffer: 1.43 MB"
  let text = sound.replacing(once: rates, with: "  preset: nlc-edge")
  #expect(
    errors(in: text) == [#"a.yaml:5:3: error: the key "buffer" is missing; add buffer: 64 KB"#])
}

@Test func `a scenario without a preset has none`() throws {
  #expect(try decode(sound).get().preset == nil)
}

@Test func `every preset is within the limits of a scenario`() throws {
  for name in LinkPreset.names {
    let scenario = try link("{ preset: \(name), buffer: 64 KB }")
    for direction in [scenario.link.up, scenario.link.down] {
      #expect(ScenarioLimits.latency.contains(direction.latency), "\(name)")
      guard let rate = direction.steadyRate else { continue }
      #expect(ScenarioLimits.rate.contains(rate), "\(name)")
    }
  }
}

@Test func `the explanation names the preset and where it was read`() throws {
  let text = ScenarioExplanation(try link("{ preset: nlc-edge-lossy, buffer: 64 KB }")).text
  #expect(
    text.contains(
      """

      The link carries 25 KB/s up and 30 KB/s down, with a latency of 0.44 s (1 % lost, 1.04 s late) up and 0.4 s (1 % lost, 1.04 s late) down.
      Of each connection it takes in 64 KB before they have crossed.
      The preset is nlc-edge-lossy, Apple NLC Edge, Lossy Network (ATC Edge-Lossy; source).

      """))
}

@Test func `the schema offers the names, and takes a preset or both rates`() {
  #expect(
    ScenarioSchema.text.contains(
      """
            "required": ["buffer"],
            "anyOf": [{
              "required": ["preset"]
            }, {
              "required": ["up", "down"]
            }],

      """))
  for name in LinkPreset.names { #expect(ScenarioSchema.text.contains("\"\(name)\"")) }
}
