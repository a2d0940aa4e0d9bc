/// One measure that an expectation can be about, of one variant.
package enum Measure: Hashable, Sendable {
  /// Attempts of a file step, summed over captures, or each: `attempts.copy`, `attempts`.
  case attempts(step: String?)
  /// Body bytes of a step on the wire, over all attempts: `wire.copy`; of all files: `wire`.
  case wire(step: String?)
  /// Which files have landed: `landed`.
  case landed
  /// Link seconds of the last receipt: `finished`.
  case finished
  case useful, repeated, abandoned, overhead
  /// `lines.distinct`, `lines.live`, `lines.first-live`, `lines.longest-silence`.
  case distinctLines, liveLines, firstLiveLine, longestSilence
  /// `lines.false`, `lines.worst-megabytes`, `lines.worst-seconds`.
  case falseLines, worstMegabytes, worstSeconds
  case parked, held, discarded, notSaved, duplicates, lost
  /// Of the last process of a command: its status, when it exited by itself.
  case exit
}

/// What is expected of a measure.
package enum Expected: Hashable, Sendable {
  package enum Comparison: String, Hashable, Sendable {
    case equal = "="
    case atMost = "<="
    case atLeast = ">="
  }

  /// A number in the measure's own unit (bytes, seconds, a count); a tolerance in percent of it.
  case number(Comparison, Double, tolerancePercent: Double)
  /// Every one of the things counted has this number: `each 1`.
  case each(Double)
  /// Of `landed`.
  case all, none
  /// It must not have happened: `never`.
  case never
}

/// One line of `expect`.
package struct Expectation: Hashable, Sendable {
  package var variant: String
  /// As written, such as `attempts.copy`.
  package var name: String
  package var measure: Measure
  /// As written, such as `9.93 MB +- 1 %`.
  package var text: String
  package var expected: Expected
  package var line: Int

  package init(
    variant: String, name: String, measure: Measure, text: String, expected: Expected, line: Int
  ) {
    self.variant = variant
    self.name = name
    self.measure = measure
    self.text = text
    self.expected = expected
    self.line = line
  }
}
