import Quantities

/// `junit.xml`: a run for the test view of a CI system, one case for each expectation.
///
/// A failure is the client's: an expectation that a sound run did not meet. An error is the bench's:
/// the instrument was out of tolerance, or the run was interrupted. Then what was not met is skipped,
/// since such a run neither passes nor fails. Its time is in link seconds.
package struct JUnitReport {
  package static let name = "junit.xml"

  private let record: RunRecord
  private let standing: BaselineStanding
  private let baselineFile: String

  /// With a case more where the run is held against a baseline.
  package init(
    _ record: RunRecord, _ standing: BaselineStanding = .notAsked, baselineFile: String = ""
  ) {
    self.record = record
    self.standing = standing
    self.baselineFile = baselineFile
  }

  package var text: String {
    let cases = record.expectations.map(expectation) + baseline + [bench]
    var failures = isSound ? record.expectations.count { !$0.pass } : 0
    if standing.code != .passed { failures += 1 }
    let skipped = isSound ? 0 : record.expectations.count { !$0.pass }
    let end = record.variants.compactMap { $0.finishedAt ?? $0.horizon }.max() ?? 0
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(record.tool.name)">
      <testsuite name="\(Markup.escaped(record.scenario.name))" tests="\(cases.count)" \
      failures="\(failures)" errors="\(isSound ? 0 : 1)" skipped="\(skipped)" \
      time="\(fixed(end, decimals: 3))">
      \(cases.joined())</testsuite>
      </testsuites>

      """
  }

  private var isSound: Bool { record.verdict == .passed || record.verdict == .failed }

  private func expectation(_ expectation: ExpectationRecord) -> String {
    let measured = expectation.measured ?? "not measured"
    let words = "expected \(expectation.expected), measured \(measured)"
    let line = expectation.line.map { " line=\"\($0)\"" } ?? ""
    let head =
      "<testcase classname=\"\(Markup.escaped("\(record.scenario.file).\(expectation.variant)"))\" "
      + "name=\"\(Markup.escaped("\(expectation.name): \(expectation.expected)"))\" "
      + "file=\"\(Markup.escaped(record.scenario.file))\"\(line)"
    if expectation.pass { return "\(head)/>\n" }
    guard isSound else {
      return "\(head)><skipped message=\"\(record.verdict.rawValue): \(Markup.escaped(words))\"/>"
        + "</testcase>\n"
    }
    return "\(head)><failure message=\"\(Markup.escaped(words))\">"
      + "\(Markup.escaped(expectation.why ?? words))</failure></testcase>\n"
  }

  private var baseline: [String] {
    if standing == .notAsked { return [] }
    let head =
      "<testcase classname=\"\(Markup.escaped(record.scenario.file))\" "
      + "name=\"no worse than the baseline\" file=\"\(Markup.escaped(record.scenario.file))\""
    if standing.code == .passed { return ["\(head)/>\n"] }
    let sentences = standing.sentences(file: baselineFile).joined(separator: "\n")
    return [
      "\(head)><failure message=\"\(Markup.escaped(standing.word))\">\(Markup.escaped(sentences))"
        + "</failure></testcase>\n"
    ]
  }

  /// The case of the bench itself.
  private var bench: String {
    let head =
      "<testcase classname=\"\(Markup.escaped(record.scenario.file))\" "
      + "name=\"the instrument was within tolerance\" file=\"\(Markup.escaped(record.scenario.file))\""
    if isSound { return "\(head)/>\n" }
    return "\(head)><error message=\"\(Markup.escaped(VerdictText.sentence(record)))\">"
      + "\(Markup.escaped(record.doubts.joined(separator: "\n")))</error></testcase>\n"
  }
}
