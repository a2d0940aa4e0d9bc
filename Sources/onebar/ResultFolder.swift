import Captures
import FoundationEssentials
import Glibc
import Reports
import ScratchEngine

/// The folder into which one run writes its reports.
struct ResultFolder {
  struct CannotWrite: Error, CustomStringConvertible {
    let description: String
  }

  private static let ledgerName = "ledger.jsonl"
  private static let names = [
    ResultFile.name, MarkdownReport.name, HTMLReport.name, JUnitReport.name, TraceReport.name,
    ArchiveReport.name, ledgerName, AgreementReport.name,
  ]

  let path: String

  /// Makes the folder and proves that it can be written to, before any time is spent on a run.
  init(preparing path: String) throws(CannotWrite) {
    self.path = path
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CannotWrite(
        description:
          "\(path) cannot be made: \(Self.cause(error, at: path)); choose another with --out")
    }
    for name in Self.names {
      var isFolder = false
      if FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder), isFolder
      {
        throw CannotWrite(
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
  func write(_ record: RunRecord, _ ledgers: [RunLedger]) throws(CannotWrite) {
    try write(ResultFile.text(of: record), as: ResultFile.name)
    try write(ledgers.map(\.text).joined(), as: Self.ledgerName)
    try write(MarkdownReport(record).text, as: MarkdownReport.name)
    try write(HTMLReport(record).text, as: HTMLReport.name)
    try write(JUnitReport(record))
    try write(TraceReport(record).text, as: TraceReport.name)
    try write(ArchiveReport(record).text, as: ArchiveReport.name)
  }

  /// Replaces `junit.xml` by one that knows more.
  func write(_ report: JUnitReport) throws(CannotWrite) {
    try write(report.text, as: JUnitReport.name)
  }

  /// Writes `agreement.md`.
  func write(_ agreement: Agreement) throws(CannotWrite) {
    try write(AgreementReport(agreement).markdown, as: AgreementReport.name)
  }

  private func write(_ text: String, as name: String) throws(CannotWrite) {
    let file = "\(path)/\(name)"
    do {
      try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
    } catch {
      throw CannotWrite(description: "\(file) cannot be written: \(Self.cause(error, at: file))")
    }
  }

  private static func systemCause(_ error: CocoaError) -> String? {
    guard let error = error.underlying as? POSIXError else { return nil }
    if error.code == .ENOTDIR { return "a file is in the way" }
    return String(cString: strerror(error.code.rawValue))
  }

  private static func cause(_ error: any Error, at path: String) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    return switch error.code {
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteNoPermission, .fileReadNoPermission: "no permission"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "a file of that name is in the way"
    case .fileNoSuchFile: "nothing can be made in \(CaptureFolder.standing(above: path))"
    default: systemCause(error) ?? "error \(error.code.rawValue)"
    }
  }
}
