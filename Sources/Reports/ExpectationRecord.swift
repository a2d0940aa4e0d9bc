/// One expectation, and what was measured.
package struct ExpectationRecord: Hashable, Sendable {
  package var variant: String
  package var name: String
  /// As the scenario writes it.
  package var expected: String
  /// Nil when it was not measured: then it is no pass.
  package var measured: String?
  package var pass: Bool
  /// For a reader who has seen nothing else: what went wrong; nil when it passed.
  package var why: String?
  /// Where the scenario's file states it, from 1.
  package var line: Int?

  package init(
    variant: String, name: String, expected: String, measured: String?, pass: Bool,
    why: String? = nil, line: Int? = nil
  ) {
    self.variant = variant
    self.name = name
    self.expected = expected
    self.measured = measured
    self.pass = pass && measured != nil
    self.why = why
    self.line = line
  }
}
