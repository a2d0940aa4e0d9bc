package import Scenarios

extension RunRecord {
  /// Fills in doubts, expectations and verdict from what the variants measured.
  ///
  /// `doubts` are those that the bench has of its own, beside what ``InstrumentCheck`` finds.
  package mutating func judge(
    by expectations: [Expectation], interrupted: Bool = false, doubts own: [String] = []
  ) {
    let check = InstrumentCheck(link: link, time: time, variants: variants)
    self.expectations = ExpectationCheck.records(expectations, variants)
    let missed = zip(expectations, self.expectations).filter { !$1.pass }
    let narrow = missed.compactMap { expectation, _ in
      narrowMiss(expectation).map { "\($0) \(check.wayOut)" }
    }
    // Beside a failure that is one, it changes nothing.
    doubts = own + check.doubts + (narrow.count == missed.count ? narrow : [])
    verdict = Verdict(
      interrupted: interrupted || variants.contains { $0.outcome == .interrupted },
      doubts: doubts, expectations: self.expectations)
  }
}

extension RunRecord.Verdict {
  /// Interrupted before all, since part is missing; then inconclusive, since an instrument out of
  /// tolerance can neither pass nor fail a client; then failed when an expectation does not hold.
  package init(interrupted: Bool, doubts: [String], expectations: [ExpectationRecord]) {
    self =
      if interrupted {
        .interrupted
      } else if !doubts.isEmpty {
        .inconclusive
      } else if expectations.contains(where: { !$0.pass }) {
        .failed
      } else {
        .passed
      }
  }
}

extension RunRecord {
  /// Says that a time misses what was expected by less than this machine's pauses come to; nil when
  /// it does not.
  private func narrowMiss(_ expectation: Expectation) -> String? {
    guard let variant = variants.first(where: { $0.name == expectation.variant }),
      case .number(let seconds, .seconds) = Observation(of: expectation.measure, in: variant),
      case .number(_, let bound, _) = expectation.expected
    else { return nil }
    let budget = TimeBudget(of: variant, in: self).seconds
    let nearest = min(max(bound, seconds - budget), seconds + budget)
    return Observation.number(nearest, .seconds).holds(expectation.expected) == true
      ? "\(variant.name): \(expectation.name) of \(secondsText(seconds)) misses"
        + " \(expectation.text) by less than the pauses of this machine come to"
        + " (\(secondsText(budget)))." : nil
  }
}
