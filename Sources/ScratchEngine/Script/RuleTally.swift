/// The rules of a script, and how many requests each has matched.
struct RuleTally {
  private let rules: [ScriptRule]
  private var counts: [Int]

  init(_ rules: [ScriptRule]) {
    self.rules = rules
    counts = Array(repeating: 0, count: rules.count)
  }

  /// The place of the first rule that matches, which is one time less for that rule, and its deed.
  mutating func match(_ request: LedgerRequest) -> (rule: Int, deed: ScriptedDeed)? {
    let rule = rules.indices.first { index in
      rules[index].when.matches(request) && (rules[index].times.map { counts[index] < $0 } ?? true)
    }
    guard let rule else { return nil }
    counts[rule] += 1
    return (rule, rules[rule].then)
  }
}
