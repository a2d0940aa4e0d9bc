import Quantities
import Testing
import onebar

private let reader = ArgumentReader([
  Command(
    ["run"], help: "Usage: onebar run FILE...",
    options: [
      .value("--time"), .value("--variant", repeats: true), .value("--latency"), .flag("--json"),
    ], argument: "FILE", argumentCount: 1...3),
  Command(["compare"], help: "", argument: "RESULT", argumentCount: 2...2),
  Command(["scenario", "check"], help: "", argument: "FILE", argumentCount: 1...9),
  Command(["scenario", "schema"], help: ""),
])

private func run(_ line: String) throws -> (Command, Arguments) {
  guard case .run(let command, let arguments) = try reader.read(words(line)) else {
    throw HelpInstead()
  }
  return (command, arguments)
}

private func words(_ line: String) -> [String] {
  line.split(separator: " ").map(String.init)
}

private struct HelpInstead: Error {}

@Test func `options stand anywhere and take their value after a space or an equals sign`() throws {
  let (command, arguments) = try run("run a.yaml --time 60x --json b.yaml --variant=x --variant y")
  #expect(command.path == ["run"])
  #expect(arguments.positional == ["a.yaml", "b.yaml"])
  #expect(arguments.value("--time") == "60x")
  #expect(arguments.values("--variant") == ["x", "y"])
  #expect(arguments.has("--json"))
  #expect(!arguments.has("--latency"))
  #expect(arguments.value("--latency") == nil)
}

@Test func `a value may hold an equals sign or start with one dash`() throws {
  #expect(try run("run a --time=x=y").1.value("--time") == "x=y")
  #expect(try run("run a --time -1").1.value("--time") == "-1")
}

@Test func `after two dashes everything is positional`() throws {
  let arguments = try run("run --json -- --time -h").1
  #expect(arguments.positional == ["--time", "-h"])
  #expect(arguments.has("--json"))
}

@Test func `a single dash is positional`() throws {
  #expect(try run("run -").1.positional == ["-"])
}

@Test func `a command of two words is chosen by both`() throws {
  #expect(try run("scenario check a.yaml").0.path == ["scenario", "check"])
  #expect(try run("scenario schema").0.path == ["scenario", "schema"])
}

@Test(arguments: [
  ("--help", nil), ("-h", nil), ("nonsense --help", nil), ("run -h", "run"),
  ("run --nonsense --help", "run"), ("scenario check -h", "scenario check"),
])
func `help wins over every mistake`(line: String, expected: String?) throws {
  guard case .help(let command) = try reader.read(words(line)) else {
    Issue.record("\(line) is no request for help")
    return
  }
  #expect(command?.path.joined(separator: " ") == expected)
}

@Test(arguments: [
  ("", "a command is missing; known commands: run, compare, scenario"),
  ("--json", "a command is missing; known commands: run, compare, scenario"),
  ("rnu a", #"unknown command "rnu"; did you mean "run"?"#),
  ("fly", #"unknown command "fly"; known commands: run, compare, scenario"#),
  ("check a", #"unknown command "check"; did you mean "scenario check"?"#),
  ("scenario", "a command is missing; known commands: scenario check, scenario schema"),
  ("scenario chekc a", #"unknown command "scenario chekc"; did you mean "scenario check"?"#),
  ("run a --tiem 1x", #"run has no option "--tiem"; did you mean "--time"?"#),
  (
    "run a -v",
    #"run has no option "-v"; known options: --time, --variant, --latency, --json, --help"#
  ),
  ("run a --time", "--time needs a value; write it as --time VALUE"),
  ("run a --time --json", "--time needs a value; write it as --time VALUE"),
  ("run a --time=", "--time needs a value; write it as --time VALUE"),
  ("run a --json=yes", #"--json takes no value, but "yes" was given; leave out "=yes""#),
  ("run a --json --json", "--json is given twice; leave out one"),
  ("run", "run needs FILE; onebar run --help shows an example"),
  ("compare a", "compare needs RESULT 2 times; onebar compare --help shows an example"),
  ("run a b c d", #"run does not take "d"; onebar run --help shows what it takes"#),
])
func `a mistake gives the fact and the next step`(line: String, text: String) {
  let error = #expect(throws: ArgumentError.self) { try reader.read(words(line)) }
  #expect(error?.description == text)
}

@Test func `the error of a value names its option`() throws {
  let arguments = try run("run a --latency 100").1
  let error = #expect(throws: ArgumentError.self) {
    try arguments.value("--latency") { try Duration(parsing: $0) }
  }
  #expect(error?.description == #"--latency: "100" has no unit; write it as 100 s"#)
  #expect(
    try run("run a --latency 100ms").1.value("--latency") { try Duration(parsing: $0) }
      == .milliseconds(100))
}
