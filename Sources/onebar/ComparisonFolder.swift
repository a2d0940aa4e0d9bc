import Reports

/// The folder into which a comparison writes its reports.
struct ComparisonFolder {
  let path: String

  /// Writes `compare.html`, `compare.md` and `compare.json`.
  func write(_ report: ComparisonReport) throws(ReportFile.CannotWrite) {
    try ReportFile.makeFolder(path, option: "--out")
    try ReportFile.write(ComparisonPage(report).text, to: "\(path)/\(ComparisonPage.name)")
    try ReportFile.write(report.markdown, to: "\(path)/\(ComparisonReport.markdownName)")
    try ReportFile.write(ComparisonFile(report).text, to: "\(path)/\(ComparisonFile.name)")
  }
}
