import Quantities
import Scenarios
import ScratchEngine
import Testing

/// The keys of `engine` in a file of their own.
struct EngineScriptTests {
  private func decode(_ text: String) -> Result<EngineScript, ScenarioErrors> {
    ScenarioDecoder.decodeScript(Array(text.utf8), file: "s.yaml")
  }

  private func errors(in text: String) -> [String] {
    guard case .failure(let errors) = decode(text) else { return [] }
    return errors.errors.map(\.description)
  }

  @Test func `what stands under engine in a scenario makes the same script by itself`() throws {
    let lines = everything.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "engine:"))
    let part = lines[(start + 1)...].prefix { $0.hasPrefix(" ") }.map { $0.dropFirst(2) }
    let script = try decode(part.joined(separator: "\n")).get()
    #expect(script == (try ScenariosTests.decode(everything).get()).engine)
    #expect(script.rules.count == 12)
  }

  @Test func `all errors of a script are given at once, with their places`() {
    let text = """
      trun: { takes: 5 s }
      script:
        - when: { step: coppy }
          then: { close: reset }
        - when: {}
          then: { answer: 503 }
        - when: { step: copy }
          then: { delay: 5 }
      """
    #expect(
      errors(in: text) == [
        "s.yaml:1:1: error: unknown key \"trun\"; did you mean \"turn\"?",
        "s.yaml:3:19: error: \"coppy\" is not known here; did you mean \"copy\"?",
        "s.yaml:7:5: error: the rule on line 5 matches all of these first, so this one can never act",
        "s.yaml:8:20: error: \"5\" has no unit; write it as 5 s",
      ])
  }

  @Test func `a scenario is no script, and neither is an empty file`() {
    #expect(errors(in: "name: x\nseed: 7\n").count == 2)
    #expect(errors(in: "").count == 1)
    #expect(errors(in: "- a\n").count == 1)
  }
}
