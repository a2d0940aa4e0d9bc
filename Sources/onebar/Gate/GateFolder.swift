import FoundationEssentials
import Reports

/// Where a gate, or several merged, writes what it found.
struct GateFolder {
  let path: String

  /// Writes `gate.json` and `gate.md`.
  func write(_ report: GateReport) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in [
      (GateReport.name, report.fileText), (GateReport.summaryName, report.markdown),
    ] {
      try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
    }
  }

  /// Tells what was found: on standard output, and to the CI system that runs this.
  func tell(_ report: GateReport, to pipeline: PipelineEnvironment, quiet: Bool) -> ExitCode {
    var code = report.code
    do {
      try write(report)
    } catch {
      Terminal.complain("\(path) cannot be written: \(error)")
      code = ExitCode(gravestOf: [code, .benchBroke])
    }
    if !quiet { Terminal.print(report.plain) }
    if pipeline.takesAnnotations { Terminal.print(report.annotations) }
    if let file = pipeline.stepSummary, !Self.append(report.markdown + "\n", to: file) {
      Terminal.complain("the summary cannot be appended to \(file) (GITHUB_STEP_SUMMARY)")
    }
    return code
  }

  private static func append(_ text: String, to file: String) -> Bool {
    if !FileManager.default.fileExists(atPath: file) {
      return FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
    }
    guard let old = FileManager.default.contents(atPath: file) else { return false }
    return (try? (old + Data(text.utf8)).write(to: URL(filePath: file))) != nil
  }
}
