import Bench
import FoundationEssentials
import Quantities
import Reports
import Scenarios

struct RunCommand: CommandLineCommand {
  let command = Command(
    ["run"],
    help: """
      usage: onebar run PATH... [OPTIONS]

      Runs scenario files, or the .yaml files of folders: every variant of each, one after
      the other, under the same conditions, with real sockets, a real client process and
      real files, or all of it simulated. Prints what happened and writes result.json and
      report.md into a folder for each scenario.
      for each scenario.

        --time SCALE     60x (default) runs 60 link seconds in one real second;
                         1x runs in real time; virtual simulates link, engine and disk
                         around the client's own code, on one thread, as fast as it can
                         be computed: the same seed gives the same bytes of result.json
        --against SCALE  runs each scenario a second time, on another scale and with the
                         same captures, and says whether both measured the same;
                         writes agreement.md, and the second reports into a folder in
                         the first. 1 is the exit code when they disagree
        --variant NAME   only this variant; may be given more than once
        --seed N         instead of the scenario's own
        --repeat N       run each scenario N times, and sum up what varied; default 1, at
                         most 1000
        --out DIR        where the reports go; default out
        --json           print each result on standard output, as one line of JSON
        --quiet          no progress and no summary

      exit codes: 0 every expectation holds, 1 one does not, 2 usage or an invalid file,
      4 inconclusive: the bench itself was out of tolerance, 70 the bench broke,
      130 interrupted (what was measured is written)

      example
        onebar run scenarios/slow-copy.yaml --out out
        onebar run scenarios/slow-copy.yaml --time 60x --against virtual
      """,
    options: [
      .value("--time"), .value("--against"), .value("--variant", repeats: true), .value("--seed"),
      .value("--repeat"),
      .value("--out"), .flag("--json"), .flag("--quiet"),
    ], argument: "PATH", argumentCount: 1...1_000)

  /// Where reports go when nothing else is said.
  static let defaultFolder = "out"
  private static let repeatsMax = 1_000

  func run(_ arguments: Arguments) throws -> ExitCode {
    let mode = try arguments.value("--time") { try TimeMode(parsing: $0) } ?? .dilated
    let other = try arguments.value("--against") { try TimeMode(parsing: $0) }
    if other == mode {
      throw ArgumentError.badValue(
        option: "--against", reason: "\(mode.text) is what --time says; name another scale")
    }
    let seed = try arguments.value("--seed", Numbers.seed)
    let repeats =
      try arguments.value("--repeat") { try Numbers.whole($0, in: 1...Self.repeatsMax) } ?? 1
    guard let scenarios = try ScenarioFile.decodeAll(try ScenarioFile.find(arguments.positional))
    else { return .usage }
    let stock = CaptureStock()
    var plans: [Plan] = []
    for scenario in scenarios {
      var scenario = scenario
      if let seed { scenario.seed = seed }
      let variants = try Self.choose(arguments.values("--variant"), of: scenario)
      for number in 1...repeats {
        let name = Self.folderName(of: scenario) + (repeats > 1 ? "-\(number)" : "")
        func run(_ mode: TimeMode) -> ScenarioRun {
          ScenarioRun(
            scenario, variants: variants, mode: mode, captures: stock,
            executable: "/proc/self/exe", tool: .init(version: Onebar.version))
        }
        plans.append(Plan(run: run(mode), against: other.map(run), name: name))
      }
    }
    if let twice = Self.firstRepeated(plans.map(\.name)) {
      throw ArgumentError.badValue(
        option: "run", reason: "two files would write their reports to \(twice); rename one")
    }
    let parent = arguments.value("--out") ?? Self.defaultFolder
    // Every folder is tried before the first run: a run may take half an hour.
    do {
      for index in plans.indices {
        let path = "\(parent)/\(plans[index].name)"
        plans[index].folder = try ResultFolder(preparing: path)
        if let other {
          plans[index].otherFolder = try ResultFolder(preparing: "\(path)/\(other.text)")
        }
      }
    } catch {
      Terminal.complain("\(error)")
      return .usage
    }
    let output = Output(quiet: arguments.has("--quiet"), json: arguments.has("--json"))
    return try perform(plans, output)
  }

  private struct Plan {
    var run: ScenarioRun
    /// The same on another scale of time.
    var against: ScenarioRun?
    var name: String
    var folder: ResultFolder?
    var otherFolder: ResultFolder?
  }

  private struct Output {
    var quiet: Bool
    var json: Bool

    /// For people; with `--json` standard output is for programs.
    func say(_ text: String) {
      guard !quiet else { return }
      json ? Terminal.note(text) : Terminal.print(text)
    }
  }

  private func perform(_ plans: [Plan], _ output: Output) throws -> ExitCode {
    let interruption = try Interruption()
    var codes: [ExitCode] = []
    var records: [RunRecord] = []
    for plan in plans where !interruption.hasCome {
      guard let folder = plan.folder,
        let record = perform(plan.run, into: folder, output, interruption, &codes)
      else { continue }
      records.append(record)
      if interruption.hasCome { break }
      guard let against = plan.against, let otherFolder = plan.otherFolder,
        let other = perform(against, into: otherFolder, output, interruption, &codes)
      else { continue }
      if interruption.hasCome { break }
      let agreement = Agreement(record, other)
      output.say("\n" + AgreementReport(agreement).plain)
      if agreement.isSound { codes.append(agreement.agrees ? .passed : .failed) }
      do {
        try folder.write(agreement)
      } catch {
        Terminal.complain("\(error)")
        codes.append(.benchBroke)
      }
    }
    for summary in RepeatSummary.all(of: records) { output.say(summary.text) }
    return ExitCode(gravestOf: codes)
  }

  private func perform(
    _ run: ScenarioRun, into folder: ResultFolder, _ output: Output, _ interruption: Interruption,
    _ codes: inout [ExitCode]
  ) -> RunRecord? {
    let view = output.quiet ? nil : LiveView(isTerminal: Terminal.errorIsTerminal)
    if !output.quiet {
      Terminal.note("\(run.scenario.name) (\(run.scenario.file))")
      for remark in run.remarks { Terminal.note("  " + remark) }
    }
    let record: RunRecord
    let failure: (any Error)?
    do {
      defer { view?.end() }
      (record, failure) = try run.run(interruption: interruption) { view?.show($0) }
    } catch {
      // Another scenario may fare better.
      Terminal.complain("\(error)")
      codes.append(.benchBroke)
      return nil
    }
    codes.append(failure == nil ? ExitCode(record.verdict) : .benchBroke)
    if let failure { Terminal.complain("\(failure)") }
    var place = "reports: \(folder.path)"
    do {
      try folder.write(record)
    } catch {
      // What was measured is shown all the same, and the next run may fare better.
      Terminal.complain("\(error)")
      codes.append(.benchBroke)
      place = "no reports: \(error)"
    }
    if output.json { Terminal.print(ResultFile.line(of: record)) }
    output.say(TerminalSummary(record).text + "\n\(place)\n")
    return record
  }

  private static func choose(
    _ names: [String], of scenario: Scenario
  ) throws(ArgumentError) -> [Variant] {
    let known = scenario.variants.map(\.name)
    for name in names where !known.contains(name) {
      throw .badValue(
        option: "--variant",
        reason:
          "\(scenario.file) has no variant \"\(name)\"; it has \(known.joined(separator: ", "))")
    }
    return scenario.variants.filter { names.isEmpty || names.contains($0.name) }
  }

  /// The file's name without its folder and its ending.
  private static func folderName(of scenario: Scenario) -> String {
    let name = scenario.file.split(separator: "/").last.map(String.init) ?? scenario.file
    return name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name
  }

  private static func firstRepeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}
