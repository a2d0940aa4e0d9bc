package import Bench
import Quantities
import Reports

/// The words of a run's progress.
package enum ProgressText {
  package static func line(_ progress: RunProgress) -> String {
    let time = "\(fixed(progress.now.seconds, decimals: 1)) of \(progress.horizon.text)"
    let line = progress.statusLine.isEmpty ? "" : "  | \(progress.statusLine)"
    return "[\(progress.run)/\(progress.runs)] \(progress.variant)  \(time)"
      + "  \(fixed(Double(progress.carried.bytes) / 1e6, decimals: 2)) MB carried"
      + "  \(counted(progress.attempts, "attempt"))"
      + "  \(progress.landed) of \(counted(progress.files, "file"))" + line
  }
}
