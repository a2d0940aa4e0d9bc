import Reports
import Uploads

/// A change of one entry of an outbox, at the user's wish.
struct EntryChange {
  let folder: String
  /// The entry's id, or its beginning.
  let id: String

  /// Makes it, and tells of it in the words that `change` returns; nil when the user would not.
  func make(
    _ change: (inout Outbox, OutboxEntry) throws(FileSystemError) -> String?
  ) async throws -> ExitCode {
    let client = ClientByHand()
    try client.expectOutbox(folder)
    var outbox: Outbox
    let entry: OutboxEntry
    do {
      (outbox, entry) = try await client.open(folder, entry: id)
    } catch {
      Terminal.complain(ClientByHand.words(error, folder))
      return .usage
    }
    do throws(FileSystemError) {
      guard let words = try change(&outbox, entry) else { return .failed }
      Terminal.print(ClientByHand.line(words))
      return .passed
    } catch {
      Terminal.complain(ClientByHand.line("\(entry.capture): \(error)"))
      return .failed
    }
  }
}
