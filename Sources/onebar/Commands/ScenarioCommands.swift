import Reports
import Scenarios

struct ScenarioCheckCommand: CommandLineCommand {
  let command = Command(
    ["scenario", "check"],
    help: """
      usage: onebar scenario check PATH...

      Reads scenario files, or the .yaml files of folders, and prints every error of
      each with file, line, column and a way out. Nothing is run.

      exit codes: 0 all are valid, 2 one is not

      example
        onebar scenario check scenarios/slow-copy.yaml
      """, argument: "PATH", argumentCount: 1...1_000)

  func run(_ arguments: Arguments) throws -> ExitCode {
    var code = ExitCode.passed
    for file in try ScenarioFile.find(arguments.positional) {
      let result = try ScenarioFile.decode(file)
      if case .failure = result { code = .usage }
      Terminal.print(ScenarioTexts.check(result, file: file))
    }
    return code
  }
}

struct ScenarioExplainCommand: CommandLineCommand {
  let command = Command(
    ["scenario", "explain"],
    help: """
      usage: onebar scenario explain FILE

      Says in words what a scenario does, draws link, faults, captures, acts and attempts
      on one time axis, and derives attempts, bytes and times from the file by a fluid
      model alone: no packets, no kernel, no client. A run that agrees with it was right
      for the right reason.

      example
        onebar scenario explain scenarios/slow-copy.yaml
      """, argument: "FILE", argumentCount: 1...1)

  func run(_ arguments: Arguments) throws -> ExitCode {
    guard let scenarios = try ScenarioFile.decodeAll(arguments.positional) else { return .usage }
    for scenario in scenarios { Terminal.print(ScenarioExplanation(scenario).text) }
    return .passed
  }
}

struct ScenarioSchemaCommand: CommandLineCommand {
  let command = Command(
    ["scenario", "schema"],
    help: """
      usage: onebar scenario schema [--result | --comparison]

      Prints the JSON Schema of scenario files. Editors that know YAML use it for
      completion; each scenario names it in its first line.

        --result       the JSON Schema of result.json instead
        --comparison   the JSON Schema of compare.json instead

      example
        onebar scenario schema > scenarios/scenario.schema.json
      """, options: [.flag("--result"), .flag("--comparison")])

  func run(_ arguments: Arguments) throws(ArgumentError) -> ExitCode {
    if arguments.has("--result"), arguments.has("--comparison") {
      throw .badValue(option: "--comparison", reason: "--result is another schema; choose one")
    }
    Terminal.print(
      arguments.has("--result")
        ? ResultFile.jsonSchema
        : arguments.has("--comparison") ? ComparisonFile.jsonSchema : ScenarioSchema.text)
    return .passed
  }
}

struct ScenarioListCommand: CommandLineCommand {
  let command = Command(
    ["scenario", "list"],
    help: """
      usage: onebar scenario list [PATH...]

      Lists the scenarios in files or folders: file, name, variants, link, and how long
      they take. Without a path it lists the folder scenarios. Folders inside a folder
      are named, with how many files they hold; name them to list those. The errors of
      files that are not valid follow on standard error.

      exit codes: 0 all are valid, 2 one is not

      example
        onebar scenario list
      """, argument: "PATH", argumentCount: 0...1_000)

  func run(_ arguments: Arguments) throws -> ExitCode {
    let paths = arguments.positional.isEmpty ? ["scenarios"] : arguments.positional
    var scenarios: [Scenario] = []
    var failures: [ScenarioErrors] = []
    for file in try ScenarioFile.find(paths) {
      switch try ScenarioFile.decode(file) {
      case .success(let scenario): scenarios.append(scenario)
      case .failure(let errors): failures.append(errors)
      }
    }
    Terminal.print(ScenarioTexts.list(scenarios) + ScenarioFile.foldersWithin(paths))
    for errors in failures { Terminal.note("\(errors)") }
    return failures.isEmpty ? .passed : .usage
  }
}
