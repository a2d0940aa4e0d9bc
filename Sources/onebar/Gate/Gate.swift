import Bench
import Reports
import Scenarios

/// Runs scenarios and holds each result against what is expected, and against its baseline.
struct Gate {
  /// Nil when nothing is compared.
  var baseline: BaselineFolder?
  /// Results that passed become the baseline.
  var updates: Bool
  /// How many variants run side by side; nil leaves it to this machine.
  var jobs: Int?
  /// How often an inconclusive run is made again at half the pace, or in real time as it was, after it
  /// was made again alone.
  var slower: Int
  var quiet: Bool

  /// In the order of the plans.
  func findings(of plans: [PlannedRun]) throws -> [GateFinding] {
    guard !plans.isEmpty else { return [] }
    var findings: [GateFinding] = []
    var plans = plans
    for round in rounds where !plans.isEmpty {
      if round.slows {
        // Nothing is slower than the clock on the wall.
        plans = plans.map { $0.run.mode.isDilated ? $0.paced($0.run.mode.halved) : $0 }
      }
      var again: [PlannedRun] = []
      var made = 0
      let session = RunSession(
        jobs: round.jobs, output: .init(quiet: quiet, json: false, isBrief: true))
      let code = try session.perform(plans) { plan, record, complaints in
        made += 1
        var finding = self.finding(of: plan, record)
        finding.add(broken: complaints)
        Self.put(finding, into: &findings)
        if record?.verdict == .inconclusive, !plan.run.mode.isVirtual { again.append(plan) }
      }
      if code == .interrupted {
        for plan in plans.dropFirst(made) {
          let file = plan.run.scenario.file
          let finding = GateFinding(scenario: Baseline.scenarioName(of: file), notBegun: file)
          Self.put(finding, into: &findings)
        }
        break
      }
      plans = again
    }
    return findings
  }

  /// The newest of a scenario stands for it.
  private static func put(_ finding: GateFinding, into findings: inout [GateFinding]) {
    if let place = findings.firstIndex(where: { $0.file == finding.file }) {
      findings[place] = finding
    } else {
      findings.append(finding)
    }
  }

  /// All, side by side; then what was inconclusive alone; then that at half the pace, and so on.
  var rounds: [(jobs: Int?, slows: Bool)] {
    let alone = jobs == 1 ? [] : [(jobs: Int?(1), slows: false)]
    return [(jobs, false)] + alone + Array(repeating: (1, true), count: slower)
  }

  private func finding(of plan: PlannedRun, _ record: RunRecord?) -> GateFinding {
    let scenario = plan.run.scenario
    guard let record else {
      return GateFinding(
        scenario: Baseline.scenarioName(of: scenario.file), file: scenario.file)
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
