import Reports
import Uploads

struct ClientSendNowCommand: CommandLineCommand {
  let command = Command(
    ["client", "send-now"],
    help: """
      usage: onebar client send-now ID --outbox DIR

      Lets an entry that the engine refused be sent again, by the next drain, under the same
      ids. ID is that of onebar client list, or as much of its beginning as no other has.

        --outbox DIR   the folder of the outbox; no drain may be at work on it

      exit codes: 0 it will be sent, 1 that could not be noted, 2 there is no such entry

      example
        onebar client send-now 01J8Z0000000000000000000AB --outbox outbox
      """, options: [.value("--outbox")], argument: "ID", argumentCount: 1...1)

  func run(_ arguments: Arguments) async throws -> ExitCode {
    let folder = try ClientByHand.outbox(arguments, of: "send-now")
    return try await EntryChange(folder: folder, id: arguments.positional.first ?? "").make {
      (outbox, entry) throws(FileSystemError) in
      guard entry.refused != nil || entry.held != nil else {
        return "\(entry.id)  \(entry.capture): it is not parked; the next drain sends it anyway"
      }
      var entry = entry
      entry.release()
      try outbox.save(entry)
      return "\(entry.id)  \(entry.capture): the next drain sends it again"
    }
  }
}
