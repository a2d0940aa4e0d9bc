import Quantities

/// The verdict of a run, and what it rests on, in sentences.
enum VerdictText {
  static func sentence(_ record: RunRecord) -> String {
    let all = record.expectations.count
    let failed = record.expectations.filter { !$0.pass }.count
    return switch record.verdict {
    case .passed where all == 0: "Nothing was expected, so nothing could fail."
    case .passed: all == 1 ? "The expectation holds." : "All \(all) expectations hold."
    case .failed:
      "\(failed) of \(counted(all, "expectation")) \(failed == 1 ? "does" : "do") not hold."
    case .inconclusive:
      "The instrument was out of tolerance, so this run neither passes nor fails the client."
    case .interrupted: "The run was stopped before its end; what was measured until then stands."
    }
  }

  static func time(_ time: RunRecord.Time) -> String {
    switch time.mode {
    case .real: "real time"
    case .dilated: "dilated time (\(trimmed(time.factor, decimals: 3))x)"
    case .virtual: "virtual time"
    }
  }

  /// How exact a time in the report can be.
  static func errorBudget(_ time: RunRecord.Time) -> String? {
    time.lateness.map {
      "Error budget of one timer: \(trimmed($0.p50, decimals: 4)) s (p50) to"
        + " \(trimmed($0.p99, decimals: 4)) s (p99), link seconds."
    }
  }
}
