import Foundation
import Quantities
import Scenarios
import Testing

@Test func `the schema beside the scenarios is the generated one`() throws {
  let file = try shipped("scenarios/\(ScenarioSchema.fileName)")
  #expect(
    String(decoding: file, as: UTF8.self) == ScenarioSchema.text,
    "write it again: onebar scenario schema > scenarios/\(ScenarioSchema.fileName)")
}

@Test func `the schema is JSON and knows every key of the format`() throws {
  let schema = try JSONSerialization.jsonObject(with: Data(ScenarioSchema.text.utf8))
  let keys = propertyNames(in: schema)
  #expect(keys.count > 50)
  for key in keys {
    #expect((everything + opportune + foreign).contains("\(key):"), "the fixture has no \(key)")
  }
}

private func propertyNames(in value: Any) -> [String] {
  if let list = value as? [Any] { return list.flatMap(propertyNames) }
  guard let object = value as? [String: Any] else { return [] }
  let own = (object["properties"] as? [String: Any])?.keys.sorted() ?? []
  return own + object.values.flatMap(propertyNames)
}

@Test(arguments: ["slow-copy", "three-photos", "tunnel"])
func `a shipped scenario is valid and names the schema in its first line`(name: String) throws {
  let text = String(decoding: try shipped("scenarios/\(name).yaml"), as: UTF8.self)
  #expect(text.hasPrefix("# yaml-language-server: $schema=\(ScenarioSchema.fileName)\n"))
  let scenario = try shippedScenario(name)
  #expect(scenario.variants.map(\.name) == ["before", "after"])
  #expect(scenario.horizon == .seconds(900))
}

@Test func `the expectations of the story are the published figures`() throws {
  func lines(_ name: String) throws -> [String] {
    try shippedScenario(name).expectations.map { "\($0.variant) \($0.name): \($0.text)" }
  }
  #expect(
    try lines("slow-copy") == [
      "before attempts.copy: 7", "before wire.copy: 9.93 MB +- 1 %", "before landed: none",
      "after attempts: each 1", "after wire.copy: 1.65 MB +- 1 %", "after landed: all",
      "after finished: 305.9 s +- 2 %", "after lines.false: 0", "after repeated: 0 B",
    ])
  #expect(
    try lines("three-photos") == [
      "before lines.distinct: 4", "before lines.live: 0", "before lines.first-live: never",
      "after lines.distinct: >= 299", "after lines.live: >= 120",
      "after lines.first-live: <= 3.5 s", "after lines.false: 0", "after repeated: 0 B",
      "after landed: all", "after attempts: each 1", "after duplicates: 0",
    ])
}

@Test func `check gives a line for a good file and the errors of a bad one`() throws {
  #expect(
    ScenarioTexts.check(decode(sound), file: "a.yaml")
      == "a.yaml: ok (1 variant, 1 capture, 1 expectation)\n")
  let bad = sound.replacing(once: "seed: 7", with: "seed: x")
  #expect(
    ScenarioTexts.check(decode(bad), file: "a.yaml")
      == "a.yaml:2:7: error: \"x\" is not a whole number from 0 up; write it as 7\n")
}

@Test func `list gives file, name, variants, link and how long it takes`() throws {
  let list = ScenarioTexts.list(try ["slow-copy", "tunnel"].map(shippedScenario))
  #expect(
    list == """
      scenarios/slow-copy.yaml  The copy that never landed
        before, after; 20 KB/s up, 200 KB/s down; at most 1800 s, at 60x 30 s
      scenarios/tunnel.yaml     A tunnel in mid-body
        before, after; at most 20 KB/s that changes up, at most 200 KB/s that changes down; \
      at most 1800 s, at 60x 30 s

      """)
}
