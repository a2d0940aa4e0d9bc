import Quantities
package import Scenarios

/// One expectation held against what one variant did.
package struct ExpectationCheck: Hashable, Sendable {
  package let expectation: Expectation
  /// In the expectation's own units; nil when it was not measured.
  package let measured: String?
  package let pass: Bool
  /// Nil when it passed.
  package let why: String?

  /// Checks each expectation against the variant that it names.
  ///
  /// One whose variant is not among them was not measured: no pass.
  package static func records(
    _ expectations: [Expectation], _ variants: [VariantRecord]
  ) -> [ExpectationRecord] {
    expectations.map { expectation in
      let variant = variants.first { $0.name == expectation.variant }
      return ExpectationCheck(expectation, of: variant).record
    }
  }

  package init(_ expectation: Expectation, of variant: VariantRecord?) {
    self.expectation = expectation
    guard let variant else {
      measured = nil
      pass = false
      why = FailureSentence.notMeasured(expectation, "this variant did not run")
      return
    }
    guard variant.outcome != .interrupted else {
      measured = nil
      pass = false
      why = FailureSentence.notMeasured(expectation, "the run was interrupted before its end")
      return
    }
    let observation = Observation(of: expectation.measure, in: variant)
    let verdict = observation.holds(expectation.expected)
    measured = observation.text(beside: expectation.expected)
    pass = verdict ?? false
    if pass {
      why = nil
    } else if measured == nil {
      why = FailureSentence.notMeasured(expectation, "there is nothing to measure it by")
    } else if verdict == nil {
      why = FailureSentence.notMeasured(
        expectation, "\(expectation.text) is not something that it can be compared with")
    } else {
      why = FailureSentence(expectation, measured: measured ?? "", variant: variant).text
    }
  }

  package var record: ExpectationRecord {
    ExpectationRecord(
      variant: expectation.variant, name: expectation.name, expected: expectation.text,
      measured: measured, pass: pass, why: why, line: expectation.line)
  }
}
