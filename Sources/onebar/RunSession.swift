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

  /// As many as this machine has cores.
  static var usualThreads: Int {
    min(ProcessInfo.processInfo.activeProcessorCount, VirtualRuns.threadsMax)
  }

  private let threads: Int
  private let output: Output
  private var codes: [ExitCode] = []
  /// One for each scenario so far.
  private var summaries: [RepeatSummary] = []
  /// What the runs of the newest scenario took, if it is run more than once.
  private var repeats: VirtualEffort?
  private var view = RepeatView(isTerminal: Terminal.errorIsTerminal)

  /// `threads` are for what runs in virtual time.
  init(threads: Int, output: Output) {
    self.threads = threads
    self.output = output
  }

  /// Throws when it cannot begin.
  ///
  /// `each` is given what was measured of each plan, as it is written; nil where the bench broke.
  consuming func perform(
    _ plans: [PlannedRun], each: (PlannedRun, RunRecord?) -> Void = { _, _ in }
  ) throws -> ExitCode {
    let interruption = try Interruption()
    // Work ahead on other threads would make the timers of a real run late.
    let ahead =
      plans.allSatisfy(\.isVirtual)
      ? try VirtualRuns(plans.map(\.run), threads: threads) : nil
    for plan in plans {
      // Stopped between two runs, none of them shows it.
      if interruption.hasCome {
        codes.append(.interrupted)
        break
      }
      each(plan, try perform(plan, ahead, interruption))
      if plan.isRepeat, plan.number == plan.repeats { endRepeats() }
    }
    endRepeats()
    for text in summaries.compactMap(\.text) { output.say(text) }
    return ExitCode(gravestOf: codes)
  }

  private mutating func perform(
    _ plan: PlannedRun, _ ahead: VirtualRuns?, _ interruption: Interruption
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
    _ run: ScenarioRun, for plan: PlannedRun, into folder: ResultFolder?, _ ahead: VirtualRuns?,
    _ interruption: Interruption
  ) throws -> RunRecord? {
    if !output.quiet, !plan.isRepeat {
      Terminal.note("\(run.scenario.name) (\(run.scenario.file))")
      for remark in run.remarks { Terminal.note("  " + remark) }
    }
    let virtual = try ahead ?? VirtualRuns([run], threads: threads)
    let outcome: ScenarioRun.Outcome
    do {
      let view =
        output.quiet || plan.isRepeat ? nil : LiveView(isTerminal: Terminal.errorIsTerminal)
      defer { view?.end() }
      outcome = try run.run(interruption: interruption, virtual: virtual) { view?.show($0) }
    } catch {
      // Another scenario may fare better.
      complain(error)
      return nil
    }
    let record = outcome.record
    codes.append(outcome.failure == nil ? ExitCode(record.verdict) : .benchBroke)
    if let failure = outcome.failure { Terminal.complain("\(failure)") }
    if output.json { Terminal.print(ResultFile.line(of: record)) }
    count(outcome.effort, of: plan)
    if plan.isRepeat, summaries.last?.isRepeated(by: record) == true { return record }
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
    Terminal.complain("\(error)")
    codes.append(.benchBroke)
  }
}
