import Bench
import Reports
import UploadAdapters

/// The client by hand, as a group of commands; with `--bench`, the process that a run starts.
struct ClientCommand: CommandLineCommand {
  let command = Command(
    ["client"],
    help: """
      usage: onebar client add FILE... | drain | list | send-now ID | discard ID

      The upload client of the bench, by hand: photos and documents are kept in an outbox,
      a folder, and sent to an engine from there, each of them once.

        add FILE... --outbox DIR              keeps photos and documents
        drain --outbox DIR --engine URL       sends what is kept
        list --outbox DIR                     what is kept, and how far it is
        send-now ID --outbox DIR              lets what the engine refused be sent again
        discard ID --outbox DIR               removes what is kept
        --bench                               how a run starts it, with a bench at its ends

      onebar client COMMAND --help shows the options of each.

      example
        onebar engine --listen 127.0.0.1:8080 --store stored &
        onebar client add photos --outbox outbox
        onebar client drain --outbox outbox --engine http://127.0.0.1:8080
      """, options: [.flag("--bench")], isGroup: true)

  func run(_ arguments: Arguments) async throws -> ExitCode {
    guard arguments.has("--bench") else {
      Terminal.print(command.help)
      return .usage
    }
    let status = await ClientProcess.run(
      commandsFrom: BuiltInClient.commandDescriptor, reportsTo: BuiltInClient.reportDescriptor)
    return status == 0 ? .passed : .benchBroke
  }
}
