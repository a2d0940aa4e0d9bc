import FoundationEssentials
import Reports

/// The folder of baselines, a file for each scenario and kind of time.
struct BaselineFolder {
  let path: String

  func file(for record: RunRecord) -> String { "\(path)/\(Baseline.fileName(of: record))" }

  /// How a result stands to its baseline.
  ///
  /// Throws when the file is there and cannot be understood.
  func standing(of record: RunRecord) throws(ArgumentError) -> BaselineStanding {
    guard let baseline = try read(for: record) else { return .missing }
    return baseline.standing(of: record)
  }

  func read(for record: RunRecord) throws(ArgumentError) -> Baseline? {
    let file = file(for: record)
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    let bytes = try ScenarioFile.read(file, sizeMax: 64_000_000)
    do {
      return Baseline(try ResultFile.record(from: String(decoding: bytes, as: UTF8.self)))
    } catch {
      throw .badValue(option: file, reason: "\(error); renew it with --update-baseline")
    }
  }

  /// Replaces the file in one step.
  func write(_ record: RunRecord) throws(ReportFile.CannotWrite) {
    try ReportFile.makeFolder(path, option: "--baseline")
    try ReportFile.write(ResultFile.text(of: Baseline(record).record), to: file(for: record))
  }
}
