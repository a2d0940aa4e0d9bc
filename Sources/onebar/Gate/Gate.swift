import Bench
import Reports
import Scenarios

/// Runs scenarios and holds each result against what is expected, and against its baseline.
struct Gate {
  /// Nil when nothing is compared.
  var baseline: BaselineFolder?
  /// Results that passed become the baseline.
  var updates: Bool
  /// How often an inconclusive run is made again, each time at half the pace.
  var slower: Int
  var out: String
  var quiet: Bool

  /// In the order of the plans.
  func findings(of plans: [PlannedRun], captures: CaptureStock) throws -> [GateFinding] {
    guard !plans.isEmpty else { return [] }
    var findings: [GateFinding] = []
    var plans = plans
    for attempt in 0...slower {
      var again: [PlannedRun] = []
      let code = try perform(plans) { plan, record in
        let finding = self.finding(of: plan, record)
        if let place = findings.firstIndex(where: { $0.file == finding.file }) {
          findings[place] = finding
        } else {
          findings.append(finding)
        }
        if record?.verdict == .inconclusive, plan.run.mode.isDilated { again.append(plan) }
      }
      guard attempt < slower, code != .interrupted, !again.isEmpty else { break }
      plans = again.map { plan in
        let pace = TimeMode(factor: max(1, plan.run.mode.factor / 2))
        return PlannedRun(
          plan.run.scenario, plan.run.scenario.variants, mode: pace, in: out, captures: captures)
      }
    }
    return findings
  }

  private func perform(
    _ plans: [PlannedRun], each: (PlannedRun, RunRecord?) -> Void
  ) throws -> ExitCode {
    try RunSession(
      threads: RunSession.usualThreads, output: .init(quiet: quiet, json: false, isBrief: true)
    ).perform(plans, each: each)
  }

  private func finding(of plan: PlannedRun, _ record: RunRecord?) -> GateFinding {
    let scenario = plan.run.scenario
    guard let record else {
      return GateFinding(
        scenario: Baseline.scenarioName(of: scenario.file), file: scenario.file,
        failure: "The bench could not make this run; what it said stands above.")
    }
    guard let baseline else { return GateFinding(record, .notAsked, baselineFile: "") }
    let file = baseline.file(for: record)
    do {
      // What cannot be read is renewed, too.
      let old = updates ? try? baseline.standing(of: record) : try baseline.standing(of: record)
      let standing = old ?? .missing
      guard updates, record.verdict == .passed else {
        try plan.folder?.write(JUnitReport(record, standing, baselineFile: file))
        return GateFinding(record, standing, baselineFile: file)
      }
      try baseline.write(record)
      var finding = GateFinding(record, .notAsked, baselineFile: file)
      finding.baseline = standing.word == "same" ? "same" : "written"
      if case .compared = standing {
        finding.remarks += standing.sentences(file: file).map { .init($0, isFatal: false) }
      }
      return finding
    } catch {
      var finding = GateFinding(record, .notAsked, baselineFile: file)
      let code: ExitCode = error is ArgumentError ? .noBaseline : .benchBroke
      finding.code = ExitCode(gravestOf: [finding.code, code])
      finding.remarks.append(.init("\(error)", isFatal: true))
      return finding
    }
  }
}
