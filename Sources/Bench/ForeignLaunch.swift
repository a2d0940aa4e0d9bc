import Captures
import FoundationEssentials
import Scenarios

/// How a command is executed in one run: its program, arguments, environment and folder.
struct ForeignLaunch {
  /// What decides whether its requests go elsewhere than over the link.
  static let proxyNames = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"]
  /// The size is the terminal's.
  static let sizeNames = ["columns", "lines"]
  /// What most programs show colours and progress on; `dumb` would turn that off.
  static let terminalName = "xterm"

  let launch: ChildProcess.Launch
  let hasTerminal: Bool
  /// What only the processes of this run have in their environment.
  let mark: String

  init(_ client: ForeignClient, _ run: ClientStart) throws {
    let setup = run.setup
    hasTerminal = client.hasTerminal
    mark = Self.mark(of: setup.clientFolder)
    let folder = ForeignProgram.folder(of: setup.scenario)
    let program = try ForeignProgram.path(client.command[0].text, in: folder).get()
    let files = setup.captures.captures.flatMap(\.files)
    func path(_ step: (StepName) -> Bool) -> String {
      let file = files.first { step($0.step) }?.file.file ?? CaptureSet.fileName
      return "\(setup.capturesFolder)/\(file)"
    }
    let arguments = client.command.dropFirst().map { word in
      word.filled { placeholder in
        switch placeholder {
        case .engine: run.engine
        case .capture: path { $0 != .copy }
        case .copy: path { $0 == .copy }
        case .captures: setup.capturesFolder
        case .work: setup.clientFolder
        }
      }
    }
    launch = ChildProcess.Launch(
      arguments: [program] + arguments,
      environment: Self.environment(
        ProcessInfo.processInfo.environment, hasTerminal: hasTerminal,
        own: [
          "ONEBAR_ENGINE=\(run.engine)", "ONEBAR_CAPTURES=\(setup.capturesFolder)", mark,
          "ONEBAR_TIME_FACTOR=\(TimeMode(factor: setup.factor).text.dropLast())",
        ]),
      folder: folder, leadsSession: true)
  }

  /// By which the processes of a run are known, from the folder that they may keep things in.
  static func mark(of clientFolder: String) -> String { "ONEBAR_WORK=\(clientFolder)" }

  /// The user's own, less what would divert it, and what a client under test is told.
  static func environment(
    _ user: [String: String], hasTerminal: Bool, own: [String]
  ) -> [String] {
    let hidden = proxyNames + (hasTerminal ? sizeNames + ["term"] : [])
    let kept = user.filter { name, _ in
      !hidden.contains(name.lowercased()) && !name.hasPrefix("ONEBAR_")
    }
    return kept.map { "\($0.key)=\($0.value)" }.sorted()
      + ["no_proxy=127.0.0.1,localhost", "NO_PROXY=127.0.0.1,localhost"]
      + (hasTerminal ? ["TERM=\(terminalName)"] : []) + own
  }
}
