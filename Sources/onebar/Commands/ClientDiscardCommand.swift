import Glibc
import Reports
import Uploads

struct ClientDiscardCommand: CommandLineCommand {
  let command = Command(
    ["client", "discard"],
    help: """
      usage: onebar client discard ID --outbox DIR [--yes]

      Removes an entry and its files from an outbox for good; the file that it was added
      from stays, and so does what has landed on the engine. ID is that of onebar client
      list, or as much of its beginning as no other has. On a terminal it asks first.

        --outbox DIR   the folder of the outbox; no drain may be at work on it
        --yes          does not ask

      exit codes: 0 it is removed, 1 it is not, 2 there is no such entry

      example
        onebar client discard 01J8Z0000000000000000000AB --outbox outbox
      """, options: [.value("--outbox"), .flag("--yes")], argument: "ID", argumentCount: 1...1)

  func run(_ arguments: Arguments) async throws -> ExitCode {
    let folder = try ClientByHand.outbox(arguments, of: "discard")
    let asks = !arguments.has("--yes") && isatty(STDIN_FILENO) == 1
    return try await EntryChange(folder: folder, id: arguments.positional.first ?? "").make {
      (outbox, entry) throws(FileSystemError) in
      if asks {
        Terminal.write(
          ClientByHand.line("Discard \(entry.capture)?") + " [y/N] ", to: STDERR_FILENO)
        guard readLine()?.lowercased().hasPrefix("y") == true else { return nil }
      }
      try outbox.forget(entry)
      return "\(entry.id)  \(entry.capture): discarded"
    }
  }
}
