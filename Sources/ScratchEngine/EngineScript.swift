package import Captures

/// What the engine does apart from storing: how long a turn takes, and the rules that misbehave.
package struct EngineScript: Hashable, Sendable {
  /// From the end of the request to the answer.
  package var turnTakes: Duration
  /// The first rule that matches acts; the others are not asked.
  package var rules: [ScriptRule]

  package init(turnTakes: Duration = .zero, rules: [ScriptRule] = []) {
    self.turnTakes = turnTakes
    self.rules = rules
  }
}

/// One rule: which request, and what happens to it.
package struct ScriptRule: Hashable, Sendable {
  package var when: RequestPattern
  package var then: RuleAction

  package init(when: RequestPattern, then: RuleAction) {
    self.when = when
    self.then = then
  }
}

/// Which requests a rule is for; a field that is nil matches any.
package struct RequestPattern: Hashable, Sendable {
  package var step: UploadStep?
  /// Counted from 1, per step and capture.
  package var attempt: Int?

  package init(step: UploadStep? = nil, attempt: Int? = nil) {
    self.step = step
    self.attempt = attempt
  }
}

/// What a rule does once the whole request has been read; nothing of it is stored by `answer`.
package enum RuleAction: Hashable, Sendable {
  case answer(status: Int, headers: [HeaderLine])
  /// The ordinary answer, this much later.
  case delay(Duration)
}

/// One header line that a rule adds to an answer.
package struct HeaderLine: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
