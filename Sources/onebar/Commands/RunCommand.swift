import Bench
import Quantities
import Reports
import Scenarios

struct RunCommand: CommandLineCommand {
  let command = Command(
    ["run"],
    help: """
      usage: onebar run PATH... [OPTIONS]

      Runs scenario files, or the .yaml files of folders: every variant of each, under the
      same conditions, with real sockets, a real client process and real files, or all of
      it simulated. Prints what happened and writes result.json, report.md, report.html,
      junit.xml, ledger.jsonl, trace.json and requests.har into a folder for each scenario.

        --time SCALE     60x runs 60 link seconds in one real second; 1x runs in real
                         time; virtual simulates link, engine and disk around the
                         client's own code, as fast as it can be computed: the same seed
                         gives the same bytes of result.json; acts on power and disk
                         need it. Default 60x, and 1x for variants of which one is a
                         command, whose own times do not run faster
        --against SCALE  runs each scenario a second time, on another scale and with the
                         same captures, and says whether both measured the same;
                         writes agreement.md, and the second reports into a folder in
                         the first. 1 is the exit code when they disagree
        --variant NAME   only this variant; may be given more than once
        --seed N         instead of the scenario's own
        --repeat N       run each scenario N times, and sum up what varied; default 1, at
                         most 10000. In virtual time nothing may vary: reports are written
                         of the first run, and of each that differs from it
        --jobs N         so many variants and repeats side by side, with the results in
                         order; default: one for each core. In virtual time the results are
                         the same as with 1; real ones share this machine
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
      .value("--repeat"), .value("--jobs"),
      .value("--out"), .flag("--json"), .flag("--quiet"),
    ], argument: "PATH", argumentCount: 1...1_000)

  /// Where reports go when nothing else is said.
  static let defaultFolder = "out"
  /// A thousand link hours of one short scenario; a few numbers are kept of each.
  private static let repeatsMax = 10_000

  func run(_ arguments: Arguments) throws -> ExitCode {
    let asked = try arguments.value("--time") { try TimeMode(parsing: $0) }
    let other = try arguments.value("--against") { try TimeMode(parsing: $0) }
    let seed = try arguments.value("--seed", Numbers.seed)
    let repeats =
      try arguments.value("--repeat") { try Numbers.whole($0, in: 1...Self.repeatsMax) } ?? 1
    let jobs = try Self.jobs(arguments)
    let files = try ScenarioFile.find(arguments.positional)
    guard let scenarios = try ScenarioFile.decodeAll(files) else { return .usage }
    let parent = arguments.value("--out") ?? Self.defaultFolder
    let stock = CaptureStock()
    var plans: [PlannedRun] = []
    var isRefused = false
    for scenario in scenarios {
      var scenario = scenario
      if let seed { scenario.seed = seed }
      let variants = try Self.choose(arguments.values("--variant"), of: scenario)
      let mode = asked ?? .usual(for: variants)
      if other == mode {
        throw ArgumentError.badValue(
          option: "--against", reason: "\(mode.text) is what --time says; name another scale")
      }
      let modes = [mode] + (other.map { [$0] } ?? [])
      isRefused = !ScenarioFile.allows(scenario, variants, in: modes) || isRefused
      plans += (1...repeats).map { number in
        PlannedRun(
          scenario, variants, mode: mode, against: other, number: number, repeats: repeats,
          in: parent, captures: stock)
      }
    }
    guard !isRefused, try PlannedRun.prepare(&plans) else { return .usage }
    let output = RunSession.Output(quiet: arguments.has("--quiet"), json: arguments.has("--json"))
    return try RunSession(jobs: jobs, output: output).perform(plans)
  }

  /// Nil when the option is not there.
  static func jobs(_ arguments: Arguments) throws(ArgumentError) -> Int? {
    try arguments.value("--jobs") { try Numbers.whole($0, in: 1...VariantRuns.threadsMax) }
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
}
