import Quantities

/// One folder for several processes: one drains it, others add to it and look at it meanwhile.
///
/// Who drains holds `lock` for its life, and alone changes and removes entries. Who adds holds
/// `adding` for one commit. No commit is under way while a drain sweeps at its start.
extension Outbox {
  static let lockName = "lock"
  private static let addingName = "adding"
  /// How long a commit of another process is waited for.
  package static let addingWait = Duration.seconds(30)
  private static let lookAgain = Duration.milliseconds(20)

  /// Whether a folder is an outbox, by what is in it.
  package enum Nature: Hashable, Sendable {
    case missing, empty, outbox, stranger
  }

  package static func nature(
    of folder: String, on fileSystem: any FileSystem
  ) throws(FileSystemError) -> Nature {
    let names: [String]
    do throws(FileSystemError) {
      names = try fileSystem.list(folder)
    } catch  where error.cause == .notFound {
      return .missing
    }
    if names.isEmpty { return .empty }
    return names.contains(lockName) || names.contains(addingName) ? .outbox : .stranger
  }

  /// Makes the folder, durably; no error when it is there.
  package static func make(
    _ folder: String, on fileSystem: any FileSystem
  ) throws(FileSystemError) {
    try fileSystem.makeFolder(folder)
    try syncAbove(folder, on: fileSystem)
  }

  /// Opens it as ``open(_:on:mint:digest:entriesMax:copiesMax:)`` does, once no other process is committing.
  package static func openShared(
    _ folder: String, on fileSystem: any FileSystem, mint: IdentityMint,
    digest: @escaping FileDigestMaking, clock: any LinkClock
  ) async throws -> (Outbox, Recovery) {
    try await whileAdding(to: folder, on: fileSystem, clock: clock) {
      () throws(FileSystemError) in
      // By hand the photos are the user's own, and a copy of them would only take room.
      try open(folder, on: fileSystem, mint: mint, digest: digest, copiesMax: 0)
    }
  }

  /// For who only adds: reads the names in the folder, which has been made, and no record.
  package static func join(
    _ folder: String, on fileSystem: any FileSystem, mint: IdentityMint,
    digest: @escaping FileDigestMaking, entriesMax: Int = Outbox.defaultEntriesMax
  ) throws(FileSystemError) -> Outbox {
    var outbox = Outbox(
      folder: folder, fileSystem: fileSystem, mint: mint, digest: digest, entriesMax: entriesMax,
      copiesMax: 0)
    try outbox.countNames()
    return outbox
  }

  /// Commits one capture beside whatever drain is at work.
  ///
  /// Names are not read again, so that a commit among many costs what one among few does. Of two
  /// processes that add at the same time each keeps its own order. Throws what ``commit(_:now:)``
  /// throws, and `locked` when other commits take longer than ``addingWait``.
  package static func add(
    _ draft: CaptureDraft, to outbox: inout Outbox, clock: any LinkClock
  ) async throws -> OutboxEntry {
    let (folder, fileSystem) = (outbox.folder, outbox.fileSystem)
    return try await whileAdding(to: folder, on: fileSystem, clock: clock) {
      () throws(FileSystemError) in
      // A drain may have made room.
      if outbox.isFull { try outbox.countNames() }
      return try outbox.commit(draft, now: clock.now)
    }
  }

  /// What is in it now; nothing is changed, and no lock is taken.
  ///
  /// An entry that is retired while the records are read is left out.
  package static func survey(
    _ folder: String, on fileSystem: any FileSystem
  ) throws(FileSystemError) -> Recovery {
    var found = Recovery()
    for name in try fileSystem.list(folder) {
      if name.hasSuffix(OutboxName.damaged) { found.damaged.append(name) }
      guard name.hasSuffix(OutboxName.record) else { continue }
      do throws(FileSystemError) {
        if let entry = try readable(name, in: folder, on: fileSystem) {
          found.entries.append(entry)
        } else if try fileSystem.size(of: "\(folder)/\(name)") != nil {
          found.damaged.append(name)
        }
      } catch  where error.cause == .notFound {
        continue
      }
    }
    return found
  }

  private static func whileAdding<Result: Sendable>(
    to folder: String, on fileSystem: any FileSystem, clock: any LinkClock,
    _ act: () throws(FileSystemError) -> Result
  ) async throws -> Result {
    let path = "\(folder)/\(addingName)"
    let deadline = clock.now + addingWait
    while true {
      do throws(FileSystemError) {
        try fileSystem.lock(path)
        break
      } catch {
        guard error.cause == .locked, clock.now < deadline else { throw error }
      }
      try await clock.sleep(until: clock.now + lookAgain)
    }
    defer { fileSystem.unlock(path) }
    return try act()
  }
}
