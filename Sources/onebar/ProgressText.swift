package import Bench
import Quantities
import Reports

/// The words of a run's progress.
package enum ProgressText {
  /// All that run now on one line; of several only how far each has come.
  package static func line(_ running: [RunProgress]) -> String {
    guard running.count > 1 else { return running.first.map(line) ?? "" }
    return running.map {
      "\($0.scenario) \($0.variant) \(fixed($0.now.seconds, decimals: 0)) of \($0.horizon.text)"
    }.joined(separator: " | ")
  }

  package static func line(_ progress: RunProgress) -> String {
    let time = "\(fixed(progress.now.seconds, decimals: 1)) of \(progress.horizon.text)"
    let line = progress.statusLine.isEmpty ? "" : "  | \(progress.statusLine)"
    return "[\(progress.run)/\(progress.runs)] \(progress.variant)  \(time)"
      + "  \(fixed(Double(progress.carried.bytes) / 1e6, decimals: 2)) MB carried"
      + "  \(counted(progress.attempts, "attempt"))"
      + "  \(progress.landed) of \(counted(progress.files, "file"))" + line
  }
}
