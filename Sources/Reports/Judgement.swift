package import Scenarios

extension RunRecord {
  /// Fills in doubts, expectations and verdict from what the variants measured.
  ///
  /// `doubts` are those that the bench has of its own, beside what ``InstrumentCheck`` finds.
  package mutating func judge(
    by expectations: [Expectation], interrupted: Bool = false, doubts own: [String] = []
  ) {
    doubts = own + InstrumentCheck(link: link, time: time, variants: variants).doubts
    self.expectations = ExpectationCheck.records(expectations, variants)
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
