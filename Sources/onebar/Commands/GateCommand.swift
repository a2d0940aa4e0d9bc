import Bench
import Quantities
import Reports
import Scenarios

struct GateCommand: CommandLineCommand {
  let command = Command(
    ["gate"],
    help: """
      usage: onebar gate PATH... [OPTIONS]

      For CI: runs scenario files, or the .yaml files of folders, checks what they expect,
      and compares each result with its baseline: the same scenario, seed, kind of time and
      version, or it is refused. Virtual results have to be equal; of others, bytes within
      0.5 % and times within 1 % and the error budget are the same. Better, or only
      different, is told and passes.

        --time SCALE       60x, 1x or virtual, as of onebar run; default 60x, and 1x for
                           a scenario with a command
        --jobs N           so many variants side by side, with the results in order;
                           default: one for each core. An inconclusive run is made again
                           alone
        --slower N         if it is inconclusive alone as well, a run is made up to N times
                           more, each at half the pace (real time stays so); default 2
        --baseline DIR     default reports/baseline; none compares with nothing
        --update-baseline  write the baselines of runs that passed, and say what changed
        --shard I/N        only the I-th of N parts; without it the part that the CI system
                           names (CI_NODE_INDEX of CI_NODE_TOTAL, or JOB_COMPLETION_INDEX
                           of ONEBAR_SHARDS), else all
        --out DIR          where the reports go, and gate.json and gate.md with all that
                           was found; default out
        --quiet            no progress and no summary

      On GitHub Actions it appends gate.md to the summary of the step, and puts each failure
      beside its line. onebar merge puts parts together.

      exit codes: 0 passed, 1 an expectation does not hold or a result is worse than its
      baseline, 2 usage or an invalid file, 3 there is no baseline or it is of something
      else, 4 inconclusive: the bench was out of tolerance, 70 the bench broke,
      130 interrupted (what was measured is written)

      examples
        onebar gate scenarios --time virtual --update-baseline
        onebar gate scenarios --time virtual
        onebar gate scenarios --shard 2/5 --baseline none
      """,
    options: ["--time", "--jobs", "--slower", "--baseline", "--shard", "--out"].map { .value($0) }
      + ["--update-baseline", "--quiet"].map { .flag($0) },
    argument: "PATH", argumentCount: 1...1_000)

  static let defaultBaseline = "reports/baseline"
  private static let slowerMax = 10

  func run(_ arguments: Arguments) throws -> ExitCode {
    let asked = try arguments.value("--time") { try TimeMode(parsing: $0) }
    let slower =
      try arguments.value("--slower") { try Numbers.whole($0, in: 0...Self.slowerMax) } ?? 2
    let jobs = try RunCommand.jobs(arguments)
    let pipeline = PipelineEnvironment.own
    let shard = try arguments.value("--shard", Self.shard) ?? pipeline.shard()
    let folder = arguments.value("--baseline") ?? Self.defaultBaseline
    let updates = arguments.has("--update-baseline")
    if updates, folder == "none" {
      throw ArgumentError.badValue(
        option: "--update-baseline", reason: "--baseline none has no place for it")
    }
    let files = try ScenarioFile.find(arguments.positional)
    guard let scenarios = try ScenarioFile.decodeAll(files) else { return .usage }
    var isRefused = false
    for scenario in scenarios {
      let mode = asked ?? .usual(for: scenario.variants)
      isRefused = !ScenarioFile.allows(scenario, scenario.variants, in: [mode]) || isRefused
    }
    let out = arguments.value("--out") ?? RunCommand.defaultFolder
    let stock = CaptureStock()
    var plans = shard.share(of: scenarios).map {
      PlannedRun(
        $0, $0.variants, mode: asked ?? .usual(for: $0.variants), in: out, captures: stock)
    }
    guard !isRefused, try PlannedRun.prepare(&plans) else { return .usage }
    let gate = Gate(
      baseline: folder == "none" ? nil : BaselineFolder(path: folder), updates: updates,
      jobs: jobs, slower: slower, quiet: arguments.has("--quiet"))
    let findings = try gate.findings(of: plans)
    return GateFolder(path: out).tell(
      GateReport(shard: shard, findings: findings), to: pipeline, quiet: arguments.has("--quiet"))
  }

  private static func shard(_ text: String) throws(QuantityError) -> Shard {
    guard let shard = Shard(parsing: text) else {
      throw QuantityError("\"\(text)\" is not a part; write it as 2/5, from 1/5 to 5/5")
    }
    return shard
  }
}
