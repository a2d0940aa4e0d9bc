import FoundationEssentials
import Reports
import ScratchEngine

/// The folder into which one run writes its reports.
struct ResultFolder {
  private static let ledgerName = "ledger.jsonl"
  private static let names = [
    ResultFile.name, MarkdownReport.name, HTMLReport.name, JUnitReport.name, TraceReport.name,
    ArchiveReport.name, ledgerName, AgreementReport.name,
  ]

  let path: String

  /// Makes the folder and proves that it can be written to, before any time is spent on a run.
  init(preparing path: String) throws(ReportFile.CannotWrite) {
    self.path = path
    try ReportFile.makeFolder(path, option: "--out")
    for name in Self.names {
      var isFolder = false
      if FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder), isFolder
      {
        throw ReportFile.CannotWrite(
          description: "\(path)/\(name) is a folder where a report belongs; remove it, or choose"
            + " another place with --out")
      }
    }
    Self.clear(path)
    try write("", as: ".probe")
    try? FileManager.default.removeItem(atPath: "\(path)/.probe")
  }

  /// Takes away what an earlier run left: it would look like the result of one that breaks.
  static func clear(_ path: String) {
    for name in names {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
  }

  /// Writes every report of a run, and the ledgers of its variants; each replaces the one before it
  /// in one step.
  func write(_ record: RunRecord, _ ledgers: [RunLedger]) throws(ReportFile.CannotWrite) {
    try write(ResultFile.text(of: record), as: ResultFile.name)
    try write(ledgers.map(\.text).joined(), as: Self.ledgerName)
    try write(MarkdownReport(record).text, as: MarkdownReport.name)
    try write(HTMLReport(record).text, as: HTMLReport.name)
    try write(JUnitReport(record))
    try write(TraceReport(record).text, as: TraceReport.name)
    try write(ArchiveReport(record).text, as: ArchiveReport.name)
  }

  /// Replaces `junit.xml` by one that knows more.
  func write(_ report: JUnitReport) throws(ReportFile.CannotWrite) {
    try write(report.text, as: JUnitReport.name)
  }

  /// Writes `agreement.md`.
  func write(_ agreement: Agreement) throws(ReportFile.CannotWrite) {
    try write(AgreementReport(agreement).markdown, as: AgreementReport.name)
  }

  private func write(_ text: String, as name: String) throws(ReportFile.CannotWrite) {
    try ReportFile.write(text, to: "\(path)/\(name)")
  }
}
