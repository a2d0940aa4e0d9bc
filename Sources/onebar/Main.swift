import Glibc
import Reports

@main
package struct Onebar {
  static let version = "0.1.0"

  static let commands: [any CommandLineCommand] = [
    RunCommand(), CompareCommand(), GateCommand(), MergeCommand(), ScenarioCheckCommand(),
    ScenarioExplainCommand(),
    ScenarioSchemaCommand(), ScenarioListCommand(), ProxyCommand(), EngineCommand(),
    CaptureCommand(), CaptureFactsCommand(), ClientCommand(), ClientAddCommand(),
    ClientDrainCommand(), ClientListCommand(), ClientSendNowCommand(), ClientDiscardCommand(),
  ]

  /// What each command accepts, in the order of the help.
  package static var table: [Command] { commands.map(\.command) }

  static func main() async {
    openStandardDescriptors()
    let words = Array(CommandLine.arguments.dropFirst())
    exit(await answer(words).rawValue)
  }

  /// Started with a standard descriptor closed, the next socket would get its number, and what is
  /// printed would go there.
  private static func openStandardDescriptors() {
    while true {
      let number = open("/dev/null", O_RDWR)
      guard (STDIN_FILENO...STDERR_FILENO).contains(number) else {
        close(number)
        return
      }
    }
  }

  private static func answer(_ words: [String]) async -> ExitCode {
    if words == ["--version"] || words == ["-v"] {
      Terminal.print("onebar \(version)")
      return .passed
    }
    do {
      // What people type who have not read the help yet.
      let asked = words.first == "help" ? words.dropFirst() + ["--help"] : words
      switch try ArgumentReader(commands.map(\.command)).read(asked) {
      case .help(let command):
        Terminal.print(command?.help ?? ProgramHelp.text)
        return .passed
      case .run(let command, let arguments):
        guard let chosen = commands.first(where: { $0.command.path == command.path }) else {
          return .benchBroke
        }
        return try await chosen.run(arguments)
      }
    } catch let error as ArgumentError {
      Terminal.complain("\(error)")
      return .usage
    } catch {
      Terminal.complain("\(error)")
      return .benchBroke
    }
  }
}

/// One command of the command line.
protocol CommandLineCommand: Sendable {
  /// The words that choose it, what it accepts, and its help.
  var command: Command { get }

  /// Does its work. Throws ``ArgumentError`` for a mistake of the user, and anything else when the
  /// bench breaks.
  func run(_ arguments: Arguments) async throws -> ExitCode
}
