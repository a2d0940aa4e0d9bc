import Bench
import Reports
import UploadAdapters

struct ClientCommand: CommandLineCommand {
  let command = Command(
    ["client"],
    help: """
      usage: onebar client --bench

      The built-in upload client, as a run starts it: it takes JSON lines with commands
      from descriptor 3, reports on descriptor 4, and prints its status lines, one a line.

        --bench   the only way to run it; a bench is at the other ends

      example
        onebar run scenarios/slow-copy.yaml     starts one for each variant
      """, options: [.flag("--bench")])

  func run(_ arguments: Arguments) async throws -> ExitCode {
    guard arguments.has("--bench") else {
      throw ArgumentError.badValue(
        option: "client", reason: "it is started by a run; see onebar run --help")
    }
    let status = await ClientProcess.run(
      commandsFrom: BuiltInClient.commandDescriptor, reportsTo: BuiltInClient.reportDescriptor)
    return status == 0 ? .passed : .benchBroke
  }
}
