package import Quantities

/// Where entries are from the moment they are saved until they are sent: in an ``Outbox``, or in the
/// memory of a ``CardMemory``.
package protocol EntryStore: Sendable {
  /// The folder in which the files of its entries are.
  var folder: String { get }
  var mint: IdentityMint { get set }

  /// Mints the ids, and makes the draft an entry; what fails leaves nothing.
  mutating func commit(
    _ draft: CaptureDraft, now: Instant
  ) throws(FileSystemError) -> OutboxEntry

  /// Entries that another process has committed since this one looked last, in capture order.
  mutating func newcomers() throws(FileSystemError) -> [OutboxEntry]

  /// Writes down how far an entry is.
  func save(_ entry: OutboxEntry) throws(FileSystemError)

  /// Lets go of an entry that has been sent.
  mutating func retire(_ entry: OutboxEntry) throws(FileSystemError)

  /// Removes an entry, whose files may still be in use.
  mutating func removeRecord(of entry: OutboxEntry) throws(FileSystemError)

  /// Removes the files of an entry that was removed.
  func removeFiles(of entry: OutboxEntry) throws(FileSystemError)

  /// Whether a file still has the bytes that it had at the commit; nil when it cannot be read.
  func isAsKept(_ file: OutboxFile) -> Bool?
}

extension EntryStore {
  /// New ids for an entry that is kept already.
  func renewedIdentity(of entry: OutboxEntry, now: Instant) -> MomentIdentity {
    mint.identity(sequence: entry.sequence, files: entry.files.count, now: now)
  }
}

extension FileSystem {
  /// Bytes of a file that are in memory at once while it is digested.
  private static var digestStep: Int { 262_144 }

  /// The length of a file, and its digest.
  func digest(
    of path: String, with make: FileDigestMaking
  ) throws(FileSystemError) -> (bytes: Int, sha256: String) {
    let digest = make()
    var bytes = 0
    var isAtEnd = false
    while !isAtEnd {
      let piece = try read(path, from: bytes, count: Self.digestStep)
      digest.update(piece)
      bytes += piece.count
      isAtEnd = piece.count < Self.digestStep
    }
    return (bytes, digest.finish())
  }

  /// Whether a file is as the record says; nil when it cannot be read.
  func isStill(_ file: OutboxFile, at path: String, with make: FileDigestMaking) -> Bool? {
    guard let found = try? digest(of: path, with: make) else { return nil }
    return found.bytes == file.bytes && found.sha256 == file.sha256
  }
}
