import Quantities

/// An agreement told: `agreement.md`, and the text on a terminal.
package struct AgreementReport {
  package static let name = "agreement.md"

  private let agreement: Agreement

  package init(_ agreement: Agreement) {
    self.agreement = agreement
  }

  /// Every measure, equal or not.
  package var markdown: String {
    """
    # \(agreement.left.scenario.name): \(left) against \(right)

    **\(sentence)**

    `\(agreement.left.scenario.file)`, seed \(agreement.left.seed). Bytes may differ by \
    \(Comparison.byteTolerancePercent) % or one packet (and one write of the client for each request \
    that it stopped in mid-body, or was killed in), the finish by \
    \(trimmed(Comparison.timeTolerancePercent, decimals: 2)) % or what the timers of a dilated run \
    can be off by (a link second at least); attempts, what landed, what was \
    parked, not saved, lost or held twice may not. Lines, and the calls that look into a silence, \
    depend on when they are looked at: they are named and not judged.

    \(table(agreement.rows).markdown)
    """
  }

  /// The sentence and every measure that differs, in columns.
  package var plain: String {
    let differing = agreement.rows.filter { $0.standing != .equal }
    let sentence = wrapped(sentence, width: TerminalSummary.width).map { $0 + "\n" }.joined()
    guard !differing.isEmpty else { return sentence }
    return sentence + "\n" + table(differing).plain(width: TerminalSummary.width)
  }

  private var left: String { VerdictText.time(agreement.left.time) }
  private var right: String { VerdictText.time(agreement.right.time) }

  private var sentence: String {
    let worlds = "\(left) and \(right)"
    guard agreement.isSound else {
      return "\(worlds.capitalizedFirst) cannot be held against each other: the runs are"
        + " \(agreement.left.verdict.rawValue) and \(agreement.right.verdict.rawValue)."
    }
    let differing = agreement.rows.filter { $0.standing != .equal }.count
    let count = agreement.disagreements.count
    if count > 0 {
      return "\(worlds.capitalizedFirst) disagree in \(counted(count, "measure"))."
    }
    return "\(worlds.capitalizedFirst) agree: of \(counted(agreement.rows.count, "measure"))"
      + " \(agreement.rows.count - differing) are equal, the others within tolerance or not judged."
  }

  private func table(_ rows: [Agreement.Row]) -> ReportTable {
    ReportTable(
      header: ["variant", "measure", left, right, "distance", ""],
      rows: rows.map {
        [$0.variant, $0.measure, $0.left, $0.right, $0.distance, $0.standing.rawValue]
      })
  }
}
