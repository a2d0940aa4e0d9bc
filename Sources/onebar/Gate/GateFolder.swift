import Glibc
import Reports

/// Where a gate, or several merged, writes what it found.
struct GateFolder {
  let path: String

  /// Writes `gate.json` and `gate.md`.
  func write(_ report: GateReport) throws(ReportFile.CannotWrite) {
    try ReportFile.makeFolder(path, option: "--out")
    try ReportFile.write(report.fileText, to: "\(path)/\(GateReport.name)")
    try ReportFile.write(report.markdown, to: "\(path)/\(GateReport.summaryName)")
  }

  /// Tells what was found: on standard output, and to the CI system that runs this.
  func tell(_ report: GateReport, to pipeline: PipelineEnvironment, quiet: Bool) -> ExitCode {
    var code = report.code
    do {
      try write(report)
    } catch {
      Terminal.complain("\(error)")
      code = ExitCode(gravestOf: [code, .benchBroke])
    }
    if !quiet { Terminal.print(report.plain) }
    if pipeline.takesAnnotations { Terminal.print(report.annotations) }
    if let file = pipeline.stepSummary, !Self.append(report.markdown + "\n", to: file) {
      Terminal.complain("the summary cannot be appended to \(file) (GITHUB_STEP_SUMMARY)")
    }
    return code
  }

  /// What other steps have written there stays as it is.
  private static func append(_ text: String, to file: String) -> Bool {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Terminal.write(text, to: descriptor)
  }
}
