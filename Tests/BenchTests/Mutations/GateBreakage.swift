import Reports
import Scenarios
import Testing

/// One thing that is wrong with a result, or with what it is held against, and what a gate says of it.
struct GateBreakage: CustomTestStringConvertible, Sendable {
  /// Such as "a measurement is missing".
  var what: String
  /// The name of its file, as it ships.
  var scenario: String
  var code: ExitCode
  /// The beginning of what the gate says of it first.
  var sentence: String
  /// The expectation whose line the gate names; nil when it is about none.
  var red: String?
  /// Changes the result, which is judged again, and its baseline; nil takes that away.
  var breaking: @Sendable (inout RunRecord, inout RunRecord?) -> Void

  init(
    _ what: String, in scenario: String, _ code: ExitCode, at red: String? = nil,
    says sentence: String, breaking: @escaping @Sendable (inout RunRecord, inout RunRecord?) -> Void
  ) {
    self.what = what
    self.scenario = scenario
    self.code = code
    self.red = red
    self.sentence = sentence
    self.breaking = breaking
  }

  var testDescription: String { "\(what): \(scenario), exit code \(code.rawValue)" }

  static let all = [
    // What was not measured is no pass.
    GateBreakage(
      "a count is missing", in: "captive-portal", .failed, at: "parked",
      says: "after: parked captures: expected 0, not measured: there is nothing to measure it by"
    ) { record, _ in record.variants[0].parked = nil },
    GateBreakage(
      "nobody has judged the lines", in: "library-photo", .failed, at: "lines.false",
      says: "after: status lines that were false: expected 0, not measured"
    ) { record, _ in record.variants[0].honesty = nil },
    GateBreakage(
      "a time is missing", in: "tunnel", .failed, at: "lines.longest-silence",
      says: "after: longest time without a new status line: expected <= 3 s, not measured"
    ) { record, _ in record.variants[1].statusLines.longestSilence = nil },
    GateBreakage(
      "there are no files", in: "captive-portal", .failed, at: "attempts",
      says: "after: attempts of the files: expected each 1, not measured"
    ) { record, _ in record.variants[0].files = [] },
    GateBreakage(
      "a variant is missing", in: "slow-copy", .failed, at: "attempts.copy",
      says: "before: attempts of the copy: expected 7, not measured: this variant did not run"
    ) { record, _ in record.variants.removeFirst() },
    GateBreakage(
      "a variant was interrupted", in: "slow-copy", .interrupted, says: "The run was interrupted."
    ) { record, _ in record.variants[1].outcome = .interrupted },
    // A run that proves nothing is no pass, though every expectation holds.
    GateBreakage(
      "a byte was delivered behind a reset", in: "slow-copy", .inconclusive,
      says: "In doubt: before: the proxy carried"
    ) { record, _ in record.variants[0].instrument.engineReceived += 1 },
    GateBreakage(
      "a byte is in no account", in: "slow-copy", .inconclusive,
      says: "In doubt: before: the proxy took in"
    ) { record, _ in record.variants[0].instrument.discarded -= 1 },
    GateBreakage(
      "the rate was not measured", in: "slow-copy", .inconclusive,
      says: "In doubt: before: the up link carried"
    ) { record, _ in record.variants[0].instrument.upRate = nil },
    // What was better once is worse now, though every expectation holds.
    GateBreakage(
      "a byte more was sent than then", in: "turn-503", .failed,
      says: "after: overhead bytes: worse than the baseline"
    ) { record, _ in record.variants[0].wire.overhead += 1 },
    GateBreakage(
      "it was done sooner then", in: "turn-503", .failed,
      says: "after: all done at: worse than the baseline, 90.5 s then, 90.6 s now"
    ) { record, _ in record.variants[0].finishedAt? += 0.1 },
    GateBreakage(
      "no line was false then", in: "slow-copy", .failed,
      says: "before: false status lines: worse than the baseline, 0 then, 1 now"
    ) { record, _ in record.variants[0].honesty?.falseClaims += 1 },
    // What a result is held against has to be of the same.
    GateBreakage(
      "the baseline is of another scenario", in: "tunnel", .noBaseline,
      says: "b.json is no baseline for this run: the file scenarios/tunnel.yaml was edited"
    ) { _, baseline in baseline?.scenario.sha256 = "0" },
    GateBreakage(
      "the baseline is of another seed", in: "tunnel", .noBaseline,
      says: "b.json is no baseline for this run: the seed of one is 10, of the other 9"
    ) { _, baseline in baseline?.seed += 1 },
    GateBreakage(
      "the baseline lacks a variant", in: "tunnel", .noBaseline,
      says: "b.json is no baseline for this run: the baseline has the variants after, this before"
    ) { _, baseline in baseline?.variants.removeFirst() },
    GateBreakage(
      "the baseline is missing", in: "tunnel", .noBaseline, says: "There is no baseline b.json"
    ) { _, baseline in baseline = nil },
  ]
}
