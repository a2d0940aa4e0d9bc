/// What the process tells its caller; the numbers are a promise.
package enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
  /// Every expectation holds, and the comparison is no worse.
  case passed = 0
  /// An expectation does not hold, or the comparison is worse.
  case failed = 1
  /// Wrong arguments, or an invalid file; nothing was run.
  case usage = 2
  /// Nothing to compare with: there is no baseline, or it is of another scenario or seed.
  case noBaseline = 3
  /// The instrument was out of tolerance: neither pass nor fail.
  case inconclusive = 4
  /// The bench itself broke (EX_SOFTWARE of sysexits.h).
  case benchBroke = 70
  /// Stopped from outside (128 + SIGINT); what was measured is still written.
  case interrupted = 130

  package init(_ verdict: RunRecord.Verdict) {
    self =
      switch verdict {
      case .passed: .passed
      case .failed: .failed
      case .inconclusive: .inconclusive
      case .interrupted: .interrupted
      }
  }

  /// One code for several runs: the gravest.
  ///
  /// Inside one run a doubt outranks a failure, for the failure may be the instrument's. Between
  /// runs it is the other way round: a failure that was soundly measured stays one whatever happened
  /// to another run.
  package init(gravestOf codes: [ExitCode]) {
    let order: [ExitCode] = [
      .interrupted, .benchBroke, .usage, .failed, .noBaseline, .inconclusive,
    ]
    self = order.first { codes.contains($0) } ?? .passed
  }
}
