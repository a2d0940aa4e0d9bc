import Quantities

/// The rules of a script, how many times each has acted, and what each leaves to chance.
struct RuleTally {
  private let rules: [ScriptRule]
  private var counts: [Int]
  /// One for each rule: a rule that draws more often changes nothing of another.
  private var chances: [SeededRandom]

  init(_ rules: [ScriptRule], random: SeededRandom) {
    self.rules = rules
    counts = Array(repeating: 0, count: rules.count)
    chances = rules.indices.map { random.fork("rule \($0)") }
  }

  /// The place of the first rule that matches, which is one time less for that rule, and its deed.
  mutating func match(_ request: LedgerRequest) -> (rule: Int, deed: ScriptedDeed)? {
    first { $0.then.at != .connect && $0.when.matches(request) }
  }

  /// The same of the rules that act on a connection before any request.
  mutating func match(
    connection id: ConnectionID, openedAt now: Instant
  ) -> (rule: Int, deed: ScriptedDeed)? {
    first { $0.then.at == .connect && $0.when.matches(connection: id, at: now) }
  }

  private mutating func first(
    where fits: (ScriptRule) -> Bool
  ) -> (rule: Int, deed: ScriptedDeed)? {
    for (place, rule) in rules.enumerated() where fits(rule) {
      if let times = rule.times, counts[place] >= times { continue }
      if let chance = rule.when.chance, chances[place].fraction() >= chance { continue }
      counts[place] += 1
      return (place, rule.then)
    }
    return nil
  }
}
