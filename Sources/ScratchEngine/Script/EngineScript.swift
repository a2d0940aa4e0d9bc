import Quantities

/// What the engine does apart from storing: how long its answers take, and the rules that misbehave.
package struct EngineScript: Hashable, Sendable {
  /// From the end of the request to the answer, of a turn and of the live lane.
  package var turnTakes: Duration
  package var liveTakes: Duration
  /// From the last word of an event stream to a comment that shows that it is alive.
  package var heartbeat: Duration
  package var keepAlive: KeepAlive
  /// The first rule that matches a request acts on it; the others are not asked.
  package var rules: [ScriptRule]

  package static let usualHeartbeat = Duration.seconds(30)

  package init(
    turnTakes: Duration = .zero, liveTakes: Duration = .zero,
    heartbeat: Duration = usualHeartbeat, keepAlive: KeepAlive = KeepAlive(),
    rules: [ScriptRule] = []
  ) {
    self.turnTakes = turnTakes
    self.liveTakes = liveTakes
    self.heartbeat = heartbeat
    self.keepAlive = keepAlive
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
