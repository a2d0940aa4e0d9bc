import Quantities

/// What the engine does apart from storing: how long a turn takes, and the rules that misbehave.
package struct EngineScript: Hashable, Sendable {
  /// From the end of the request to the answer.
  package var turnTakes: Duration
  /// The first rule that matches a request acts on it; the others are not asked.
  package var rules: [ScriptRule]

  package init(turnTakes: Duration = .zero, rules: [ScriptRule] = []) {
    self.turnTakes = turnTakes
    self.rules = rules
  }
}

/// One rule: which requests, how often, and what happens to them.
package struct ScriptRule: Hashable, Sendable {
  package var when: RequestPattern
  /// It acts on so many requests, then no more; nil means always.
  package var times: Int?
  package var then: ScriptedDeed

  package init(when: RequestPattern, times: Int? = nil, then: ScriptedDeed) {
    self.when = when
    self.times = times
    self.then = then
  }
}
