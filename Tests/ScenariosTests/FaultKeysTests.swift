import Testing

/// The errors of a fault in the place of the latency, which is line 7 of the sound scenario.
private func errorsOf(_ faults: String) -> [String] {
  errors(in: sound.replacing(once: "latency: 100 ms", with: "faults: [\(faults)]"))
}

@Test(arguments: [
  (
    "{ dark: 20 s, refuse: connections }",
    #"7:12: error: only one of the keys "refuse", "silent", "cut", "hold", "slow-close", "dark""#
  ),
  ("{ refuse: all }", #"7:22: error: "all" is not known here"#),
  ("{ dark: 20 }", #"7:20: error: "20" has no unit"#),
  ("{ dark: 900 s }", "7:20: error: 900 s is beyond the horizon (900 s): it would never happen"),
  ("{ dark: 20 s, from: 30 s }", "7:32: error: connections opened from 30 s are not there at 20 s"),
  ("{ silent: connections, from: 20 min }", "7:41: error: 1200 s is beyond the horizon"),
  ("{ silent: connections, connection: 0 }", #"7:47: error: "0" is out of range"#),
  ("{ silent: connections, from: 9 s, until: 9 s }", #"7:53: error: "until" has to be later"#),
  ("{ cut: { up: 1 KB } }", #"7:12: error: the key "as" is missing; add as: reset"#),
  ("{ cut: { up: 1 KB }, as: fin }", #"7:37: error: "fin" is not known here"#),
  (
    "{ cut: { up: 0 B }, as: end }",
    #"7:25: error: "0 B" is out of range; it can be 1 B to 1000 MB"#
  ),
  ("{ cut: { up: 1 B, down: 1 B }, as: end }", #"7:19: error: only one of the keys "up", "down""#),
  ("{ hold: { up: 1 KB } }", #"7:12: error: the key "for" is missing; add for: 100 s"#),
  ("{ dark: 20 s, for: 9 s }", #"7:26: error: "for" belongs to "hold", which is not here"#),
  ("{ slow-close: 5 s, as: end }", #"7:31: error: "as" belongs to "cut", which is not here"#),
  (
    "{ dark: 20 s }, { dark: 10 s, connection: 2 }",
    "7:28: error: the rule on line 7 matches all of these first, so this one can never act"
  ),
])
func `a mistake in a fault gives one error with its place`(fault: String, error: String) throws {
  let errors = errorsOf(fault)
  #expect(errors.count == 1)
  #expect(try #require(errors.first).hasPrefix("a.yaml:\(error)"))
}

@Test func `faults of several kinds, and for several connections, stand side by side`() {
  let faults = [
    "{ dark: 10 s }", "{ dark: 20 s }", "{ cut: { up: 9 KB }, as: end, connection: 1 }",
    "{ cut: { up: 1 KB }, as: reset }", "{ cut: { down: 1 KB }, as: reset }",
    "{ refuse: connections, from: 9 s, until: 20 s }", "{ refuse: connections, from: 8 s }",
  ]
  #expect(errorsOf(faults.joined(separator: ", ")) == [])
}
