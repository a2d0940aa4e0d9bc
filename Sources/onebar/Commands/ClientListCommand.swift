import Captures
import JSON
import Quantities
import Reports
import Uploads

struct ClientListCommand: CommandLineCommand {
  let command = Command(
    ["client", "list"],
    help: """
      usage: onebar client list --outbox DIR [--json]

      What an outbox holds, in the order in which it is sent: the id, whether it is kept or
      parked (refused, not confirmed, or not to be sent from here, with the reason), the size
      of its files, when it was taken, the steps that have landed, and its name. It changes
      nothing, and may be asked while a drain is at work.

        --outbox DIR   the folder of the outbox
        --json         a line of JSON for each entry

      example
        onebar client list --outbox outbox
      """, options: [.value("--outbox"), .flag("--json")])

  func run(_ arguments: Arguments) async throws -> ExitCode {
    let folder = try ClientByHand.outbox(arguments, of: "list")
    let client = ClientByHand()
    try client.expectOutbox(folder)
    let found: Outbox.Recovery
    do throws(FileSystemError) {
      found = try Outbox.survey(folder, on: client.files)
    } catch {
      Terminal.complain(ClientByHand.line("\(error)"))
      return .usage
    }
    let isJSON = arguments.has("--json")
    for entry in found.entries {
      Terminal.print(isJSON ? Self.json(entry) : ClientByHand.line(Self.text(entry)))
    }
    for name in found.damaged {
      Terminal.print(
        isJSON
          ? ClientByHand.json(["damaged": .string(name)])
          : "damaged  \(name): it cannot be read or lacks a file; its files stay beside it")
    }
    if !isJSON {
      let parked = found.entries.count { $0.refused != nil }
      let damaged = found.damaged.isEmpty ? "" : ", \(found.damaged.count) damaged"
      Terminal.note("\(found.entries.count - parked) kept, \(parked) parked\(damaged)")
    }
    return .passed
  }

  private static func text(_ entry: OutboxEntry) -> String {
    let done =
      entry.done.isEmpty ? "nothing" : entry.done.map(\.description).joined(separator: ", ")
    let refused = entry.refused.map {
      "  \((entry.parking ?? .refused).word.lowercased()): \($0)"
    }
    return "\(entry.id)  \(entry.refused == nil ? "kept  " : "parked")  \(entry.kind.rawValue)"
      + "  \(ByteCount(entry.bytes))  \(entry.capturedAt)  landed: \(done)  \(entry.capture)"
      + (refused ?? "")
  }

  private static func json(_ entry: OutboxEntry) -> String {
    ClientByHand.json([
      "id": .string(entry.id), "moment": .string(entry.moment),
      "capture": .string(entry.capture), "kind": .string(entry.kind.rawValue),
      "state": .string(entry.refused == nil ? "kept" : "parked"),
      "refused": ClientByHand.json(entry.refused), "bytes": JSONValue(entry.bytes),
      "capturedAt": .string(entry.capturedAt), "note": .string(entry.note),
      "place": ClientByHand.json(entry.place),
      "done": .array(entry.done.map { .string("\($0)") }),
    ])
  }
}
