import Quantities
import ScratchEngine
import Testing

/// What a rule leaves to chance.
struct ChanceTests {
  private static let refusal = ScriptedDeed(.answer(.init(503)))

  /// The requests of 400 on which each rule acts.
  private func ruled(_ rules: [ScriptRule], seed: UInt64 = 7) -> [[Int]] {
    let ledger = ledger(rules, seed: seed)
    return rules.indices.map { rule in
      ledger.requests.indices.filter { ledger.requests[$0].rule == rule }
    }
  }

  private func ledger(_ rules: [ScriptRule], seed: UInt64 = 7) -> Ledger {
    var talk = Talk(EngineScript(rules: rules), random: SeededRandom(seed: seed))
    for _ in 0..<400 { talk.send("GET", "/api/health") }
    return talk.ledger
  }

  private func rule(_ chance: Double?, path: String? = nil, times: Int? = nil) -> ScriptRule {
    ScriptRule(
      when: RequestPattern(path: path, chance: chance), times: times, then: Self.refusal)
  }

  @Test func `no chance is no rule, and a certain one is a rule without`() {
    #expect(ledger([rule(0)]) == ledger([]))
    #expect(ledger([rule(1)]) == ledger([rule(nil)]))
  }

  @Test func `a share is met, each time in the same places, and by another seed in others`() {
    let places = ruled([rule(0.25)])[0]
    #expect((70...130).contains(places.count))
    #expect(ruled([rule(0.25)])[0] == places)
    #expect(ruled([rule(0.25)], seed: 8)[0] != places)
    #expect(ruled([rule(0.25, times: 3)])[0] == Array(places.prefix(3)))
  }

  @Test func `of a rule that was not drawn the next is asked, and rules draw apart`() {
    let places = ruled([rule(0.25), rule(nil)])
    #expect(places[0] == ruled([rule(0.25)])[0])
    #expect(places[0].count + places[1].count == 400)
    // A rule that never matches draws nothing of another's.
    #expect(ruled([rule(0.25), rule(0.5, path: "/nothing")])[0] == places[0])
    #expect(ruled([rule(0.5), rule(0.5)])[0] != ruled([rule(0), rule(0.5)])[1])
  }
}
