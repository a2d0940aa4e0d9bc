import Bench
import FoundationEssentials
import Reports
import Scenarios

/// Makes the planned runs in order, tells what happened, and finds the exit code.
struct RunSession {
  struct Output {
    var quiet: Bool
    var json: Bool
    /// Progress, and no summary of each run.
    var isBrief = false

    /// For people; with `--json` standard output is for programs.
    func say(_ text: String) {
      guard !quiet, !isBrief else { return }
      json ? Terminal.note(text) : Terminal.print(text)
    }
  }

  /// How many variants run side by side when nothing else is said.
  ///
  /// In virtual time one on each core. Real runs mostly wait, for a link that is slow: at 60x one takes
  /// a sixth of a core, in a build for debugging a half, and its timers need the rest.
  private static func usualJobs(isVirtual: Bool) -> Int {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    return min(isVirtual ? cores : cores * realRunsPerCore, VariantRuns.threadsMax)
  }
  private static let realRunsPerCore = 1

  /// Nil where each plan decides.
  private let jobs: Int?
  private let output: Output
  private var codes: [ExitCode] = []
  /// About the plan that is being made.
  private var complaints: [String] = []
  /// One for each scenario so far.
  private var summaries: [RepeatSummary] = []
  /// What the runs of the newest scenario took, if it is run more than once.
  private var repeats: VirtualEffort?
  private var view = RepeatView(isTerminal: Terminal.errorIsTerminal)

  /// `jobs` variants run side by side; nil leaves it to this machine and the kind of time.
  init(jobs: Int?, output: Output) {
    self.jobs = jobs
    self.output = output
  }

  /// Throws when it cannot begin.
  ///
  /// `each` is given what was measured of each plan, as it is written, nil where the bench broke, and
  /// what went wrong with the bench, a sentence each.
  consuming func perform(
    _ plans: [PlannedRun], each: (PlannedRun, RunRecord?, [String]) -> Void = { _, _, _ in }
  ) throws -> ExitCode {
    let interruption = try Interruption()
    let ahead = try runsAhead(plans, interruption)
    for plan in plans {
      // Stopped between two runs, none of them shows it; of real ones that have begun all do.
      if interruption.hasCome, plan.isVirtual || ahead?.nextHasBegun != true {
        codes.append(.interrupted)
        break
      }
      complaints = []
      let record = try perform(plan, ahead, interruption)
      each(plan, record, complaints)
      if plan.isRepeat, plan.number == plan.repeats { endRepeats() }
    }
    endRepeats()
    for text in summaries.compactMap(\.text) { output.say(text) }
    return ExitCode(gravestOf: codes)
  }

  /// Begins all runs, where they may share this machine; nil where each is made by itself.
  private func runsAhead(
    _ plans: [PlannedRun], _ interruption: Interruption
  ) throws -> VariantRuns? {
    let isVirtual = plans.allSatisfy(\.isVirtual)
    // Simulating one world would make the timers of the other late; and what is to be alone does not
    // begin while the reports of the run before are written.
    guard isVirtual || jobs != 1 && plans.allSatisfy(\.isReal) else { return nil }
    return try runs(plans.map(\.run), interruption)
  }

  private func runs(_ runs: [ScenarioRun], _ interruption: Interruption) throws -> VariantRuns {
    let jobs = jobs ?? Self.usualJobs(isVirtual: runs.allSatisfy(\.mode.isVirtual))
    return try VariantRuns(runs, threads: jobs, interruption: interruption)
  }

  private mutating func perform(
    _ plan: PlannedRun, _ ahead: VariantRuns?, _ interruption: Interruption
  ) throws -> RunRecord? {
    guard let record = try make(plan.run, for: plan, into: plan.folder, ahead, interruption)
    else { return nil }
    if let last = summaries.indices.last, summaries[last].covers(record) {
      summaries[last].add(record)
    } else {
      summaries.append(RepeatSummary(record))
    }
    guard let against = plan.against, !interruption.hasCome,
      let other = try make(against, for: plan, into: plan.otherFolder, nil, interruption),
      !interruption.hasCome
    else { return record }
    let agreement = Agreement(record, other)
    output.say("\n" + AgreementReport(agreement).plain)
    if agreement.isSound { codes.append(agreement.agrees ? .passed : .failed) }
    do {
      try plan.folder?.write(agreement)
    } catch {
      complain(error)
    }
    return record
  }

  /// Makes one run, and writes and tells what it measured; nil when nothing was.
  private mutating func make(
    _ run: ScenarioRun, for plan: PlannedRun, into folder: ResultFolder?, _ ahead: VariantRuns?,
    _ interruption: Interruption
  ) throws -> RunRecord? {
    if !output.quiet, !plan.isRepeat {
      Terminal.note("\(run.scenario.name) (\(run.scenario.file))")
      for remark in run.remarks { Terminal.note("  " + remark) }
    }
    let variantRuns = try ahead ?? runs([run], interruption)
    let outcome: ScenarioRun.Outcome
    do {
      let view =
        output.quiet || plan.isRepeat ? nil : LiveView(isTerminal: Terminal.errorIsTerminal)
      defer { view?.end() }
      outcome = try run.run(interruption: interruption, from: variantRuns) { view?.show($0) }
    } catch {
      // Another scenario may fare better.
      complain(error)
      return nil
    }
    let record = outcome.record
    if let failure = outcome.failure {
      complain(failure)
    } else {
      codes.append(ExitCode(record.verdict))
    }
    if output.json { Terminal.print(ResultFile.line(of: record)) }
    count(outcome.effort, of: plan)
    if plan.isRepeat, let first = summaries.last, record.verdict != .interrupted {
      if first.isRepeated(by: record) { return record }
      complain(
        BenchFailure(
          "run \(plan.number) of \(plan.repeats) of \(record.scenario.file) came out otherwise than"
            + " the first, though in virtual time a seed gives the same bytes: this is a fault of"
            + " onebar; compare \(plan.path)/\(ResultFile.name) with that of the first"))
    }
    view.end()
    var place: String
    do {
      let folder = try folder ?? ResultFolder(preparing: plan.path)
      try folder.write(record, outcome.ledgers)
      place = "reports: \(folder.path)"
    } catch {
      // What was measured is shown all the same, and the next run may fare better.
      complain(error)
      place = "no reports: \(error)"
    }
    if let effort = outcome.effort { place = "\(effort.text)\n\(place)" }
    output.say(TerminalSummary(record).text + "\n\(place)\n")
    return record
  }

  // MARK: Repeats

  private mutating func count(_ effort: VirtualEffort?, of plan: PlannedRun) {
    guard plan.isVirtual, plan.repeats > 1, let effort else { return }
    if repeats == nil { repeats = effort } else { repeats?.add(effort) }
    if !output.quiet { view.show(plan.number, of: plan.repeats) }
  }

  /// Says what the repeats of a scenario took together.
  private mutating func endRepeats() {
    view.end()
    if let text = repeats?.text { output.say(text + "\n") }
    repeats = nil
  }

  private mutating func complain(_ error: any Error) {
    complaints.append("\(error)")
    Terminal.complain("\(error)")
    codes.append(.benchBroke)
  }
}
