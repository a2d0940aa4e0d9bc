import Captures
import FoundationEssentials
package import Quantities

/// The client's durable queue: a folder with one small record per entry, and the files beside it.
///
/// An entry exists from the moment its record has its name (``OutboxName``). What has been sent stays
/// as the device's copy, as ``DeviceCopies`` has it.
package struct Outbox: EntryStore {
  /// Entries kept at once; a further capture is not saved.
  package static let defaultEntriesMax = 10_000
  /// Captures of which the device keeps a copy once they are sent; the oldest goes first.
  package static let defaultCopiesMax = 100

  /// What was found when the outbox was opened.
  package struct Recovery: Hashable, Sendable {
    /// In capture order.
    package var entries: [OutboxEntry] = []
    /// Names of the records that could not be read; each is now `<name>.damaged`.
    package var damaged: [String] = []
    /// Names of the files that no record named, or whose commit was never finished; removed.
    package var swept: [String] = []
  }

  static let recordBytesMax = 1_048_576

  package let folder: String
  let fileSystem: any FileSystem
  package var mint: IdentityMint
  private let digest: FileDigestMaking
  private let entriesMax: Int
  private let copiesMax: Int
  private var copies: DeviceCopies
  private var sequence = 0
  private var count = 0
  /// Names of the records that this process has read or written; only ever looked up.
  private var known: Set<String> = []

  /// Takes the lock, removes what a broken commit left, and reads every record.
  ///
  /// Throws when the folder cannot be made or read, or another process holds the lock: it may be
  /// in the middle of a commit, whose files no record names yet.
  package static func open(
    _ folder: String, on fileSystem: any FileSystem, mint: IdentityMint,
    digest: @escaping FileDigestMaking, entriesMax: Int = Outbox.defaultEntriesMax,
    copiesMax: Int = Outbox.defaultCopiesMax
  ) throws(FileSystemError) -> (Outbox, Recovery) {
    var outbox = Outbox(
      folder: folder, fileSystem: fileSystem, mint: mint, digest: digest,
      entriesMax: entriesMax, copiesMax: copiesMax)
    try make(folder, on: fileSystem)
    try fileSystem.lock(outbox.path(lockName))
    let recovery = try outbox.recover()
    return (outbox, recovery)
  }

  init(
    folder: String, fileSystem: any FileSystem, mint: IdentityMint,
    digest: @escaping FileDigestMaking, entriesMax: Int, copiesMax: Int
  ) {
    self.folder = folder
    self.fileSystem = fileSystem
    self.mint = mint
    self.digest = digest
    self.entriesMax = entriesMax
    self.copiesMax = copiesMax
    copies = DeviceCopies(in: folder, on: fileSystem, max: copiesMax, names: [])
  }

  package func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Makes the folder's own name durable, and those above it: without them nothing in it is.
  ///
  /// At every start, since an earlier one may have made them and ended before. A folder that this
  /// process may not read is not one that it made.
  static func syncAbove(
    _ folder: String, on fileSystem: any FileSystem
  ) throws(FileSystemError) {
    var above = folder[...]
    repeat {
      let slash = above.lastIndex(of: "/")
      above = slash.map { above[..<$0] } ?? "."
      do throws(FileSystemError) {
        try fileSystem.sync(above.isEmpty ? "/" : String(above))
      } catch  where error.cause == .notPermitted {
        continue
      }
    } while above.contains("/")
  }

  // MARK: Commit

  /// Mints the ids, copies the files, and then writes the record that makes them an entry.
  ///
  /// Syncs, in order: each file, the record aside, the folder, and the folder again after the
  /// rename; five for a photo. The first sync of the folder makes the names of the files durable
  /// before the record that relies on them can be. A failure of any call removes everything again
  /// and is thrown. On a full disk the device's copies make room first, the oldest before the others.
  package mutating func commit(
    _ draft: CaptureDraft, now: Instant
  ) throws(FileSystemError) -> OutboxEntry {
    while true {
      do throws(FileSystemError) {
        return try commitOnce(draft, now: now)
      } catch  where error.cause == .noSpace && !copies.isEmpty {
        try copies.makeRoom()
      }
    }
  }

  private mutating func commitOnce(
    _ draft: CaptureDraft, now: Instant
  ) throws(FileSystemError) -> OutboxEntry {
    guard !isFull else {
      throw FileSystemError(
        path: folder, cause: .other("it is full with \(entriesMax) captures; send some first"))
    }
    let identity = mint.identity(sequence: sequence + 1, files: draft.files.count, now: now)
    var entry = OutboxEntry(
      sequence: sequence + 1, id: identity.entry, capture: draft.capture, kind: draft.kind,
      moment: identity.moment, turn: identity.turn, text: identity.text, note: draft.note,
      capturedAt: draft.taken ?? mint.clock.rfc3339(at: now),
      timeZone: draft.timeZone, place: draft.place, files: [])
    var isNamed = false
    do throws(FileSystemError) {
      for (source, media) in zip(draft.files, identity.media) {
        let name = OutboxName.file(source.step, of: entry.id)
        let sha256 = try keep(source, as: name)
        entry.files.append(
          OutboxFile(
            step: source.step, media: media, name: name, bytes: source.bytes, sha256: sha256,
            type: source.type))
      }
      try writeAside(entry)
      try fileSystem.sync(folder)
      try putInForce(entry)
      isNamed = true
      try fileSystem.sync(folder)
    } catch {
      if isNamed {
        try? fileSystem.remove(path(OutboxName.record(of: entry)))
        // While the record may come back, its files stay; the next sweep takes them.
        guard (try? fileSystem.sync(folder)) != nil else { throw error }
      }
      remove(
        [OutboxName.aside(of: entry)]
          + draft.files.map { OutboxName.file($0.step, of: entry.id) })
      throw error
    }
    sequence += 1
    count += 1
    known.insert(OutboxName.record(of: entry))
    return entry
  }

  /// Copies a file, and gives the digest of the copy: what is digested is what will be sent.
  private func keep(
    _ source: CaptureDraft.File, as name: String
  ) throws(FileSystemError) -> String {
    let copy = path(name)
    if let made = source.made {
      try fileSystem.create(copy, made)
    } else {
      try fileSystem.copy(source.path, to: copy)
    }
    let (bytes, sha256) = try fileSystem.digest(of: copy, with: digest)
    guard bytes == source.bytes else {
      throw FileSystemError(
        path: source.path, cause: .other("it changed while it was being saved; save it again"))
    }
    try fileSystem.sync(copy)
    return sha256
  }

  /// Replaces the record of an entry; two syncs.
  ///
  /// A failure leaves the old record as it was.
  package func save(_ entry: OutboxEntry) throws(FileSystemError) {
    do throws(FileSystemError) {
      try writeAside(entry)
      try putInForce(entry)
    } catch {
      remove([OutboxName.aside(of: entry)])
      throw error
    }
    try fileSystem.sync(folder)
  }

  /// Takes an entry that has been sent out of the queue; the device's copy of it stays.
  package mutating func retire(_ entry: OutboxEntry) throws(FileSystemError) {
    guard copiesMax > 0 else { return try forget(entry) }
    count -= 1
    try copies.take(OutboxName.record(of: entry))
  }

  /// Removes an entry: the record first, so that no record is ever without its files.
  package mutating func forget(_ entry: OutboxEntry) throws(FileSystemError) {
    try removeRecord(of: entry)
    try removeFiles(of: entry)
  }

  /// Removes the record of an entry, so that it exists no more; its files may still be in use.
  ///
  /// When the process ends before ``removeFiles(of:)``, the next sweep takes them.
  package mutating func removeRecord(of entry: OutboxEntry) throws(FileSystemError) {
    try fileSystem.remove(path(OutboxName.record(of: entry)))
    count -= 1
  }

  /// Removes the files of an entry whose record is gone, once it cannot come back.
  package func removeFiles(of entry: OutboxEntry) throws(FileSystemError) {
    try fileSystem.sync(folder)
    for file in entry.files { try fileSystem.remove(path(file.name)) }
  }

  private func writeAside(_ entry: OutboxEntry) throws(FileSystemError) {
    let aside = path(OutboxName.aside(of: entry))
    try fileSystem.create(aside, try encoded(entry))
    try fileSystem.sync(aside)
  }

  /// What was written aside is the record from now on.
  private func putInForce(_ entry: OutboxEntry) throws(FileSystemError) {
    try fileSystem.rename(
      path(OutboxName.aside(of: entry)), to: path(OutboxName.record(of: entry)))
  }

  private func encoded(_ entry: OutboxEntry) throws(FileSystemError) -> [UInt8] {
    do {
      return try stableJSON(entry)
    } catch {
      throw FileSystemError(
        path: path(OutboxName.record(of: entry)),
        cause: .other("the record cannot be written: \(error)"))
    }
  }

  /// Clears up after a failure that is being reported; what cannot be removed, the next sweep takes.
  private func remove(_ names: [String]) {
    for name in names { try? fileSystem.remove(path(name)) }
    try? fileSystem.sync(folder)
  }

  package func isAsKept(_ file: OutboxFile) -> Bool? {
    fileSystem.isStill(file, at: path(file.name), with: digest)
  }

  // MARK: Recovery

  private mutating func recover() throws(FileSystemError) -> Recovery {
    var recovery = Recovery()
    // A process that was killed may have left names that are seen and not yet durable. An entry that
    // is shown has to last, and a file is only swept once its record cannot come back.
    try fileSystem.sync(folder)
    let names = try fileSystem.list(folder)
    // Sorted by the sequence number at the start of each name.
    for name in names where name.hasSuffix(OutboxName.record) {
      known.insert(name)
      if let entry = try Self.readable(name, in: folder, on: fileSystem) {
        recovery.entries.append(entry)
        sequence = max(sequence, entry.sequence)
      } else {
        let place = path(name.dropLast(OutboxName.record.count) + OutboxName.damaged)
        try fileSystem.rename(path(name), to: place)
        recovery.damaged.append(name)
      }
    }
    count = recovery.entries.count
    let owners = Set(names.compactMap(OutboxName.owner(ofRecord:)))
    for name in names where OutboxName.isLeftOver(name, owners: owners) {
      try fileSystem.remove(path(name))
      recovery.swept.append(name)
    }
    if !recovery.damaged.isEmpty || !recovery.swept.isEmpty { try fileSystem.sync(folder) }
    copies = DeviceCopies(
      in: folder, on: fileSystem, max: copiesMax,
      names: names.filter { $0.hasSuffix(DeviceCopies.ending) })
    try copies.drop(downTo: copiesMax)
    return recovery
  }

  /// Entries that another process has committed since this one looked last, in capture order.
  ///
  /// A record that cannot be read is left for the next opening to set aside.
  package mutating func newcomers() throws(FileSystemError) -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    for name in try fileSystem.list(folder) where name.hasSuffix(OutboxName.record) {
      guard known.insert(name).inserted,
        let entry = try Self.readable(name, in: folder, on: fileSystem)
      else { continue }
      entries.append(entry)
      sequence = max(sequence, entry.sequence)
      count += 1
    }
    return entries
  }

  /// As many as there may be.
  var isFull: Bool { count >= entriesMax }

  /// Counts on from the names of the records that are there, without reading one.
  mutating func countNames() throws(FileSystemError) {
    let records = try fileSystem.list(folder).filter {
      $0.hasSuffix(OutboxName.record) || $0.hasSuffix(OutboxName.damaged)
    }
    let last = records.compactMap(OutboxName.sequence).max() ?? 0
    sequence = max(sequence, last)
    count = records.count
  }

  /// Nil when the record does not say what its name says, or a file is not as it says.
  static func readable(
    _ name: String, in folder: String, on fileSystem: any FileSystem
  ) throws(FileSystemError) -> OutboxEntry? {
    let bytes = try fileSystem.read("\(folder)/\(name)", from: 0, count: recordBytesMax)
    guard let entry = try? JSONDecoder().decode(OutboxEntry.self, from: Data(bytes)),
      OutboxEntry.schemasRead.contains(entry.schema), OutboxName.record(of: entry) == name
    else { return nil }
    for file in entry.files {
      guard file.name == OutboxName.file(file.step, of: entry.id),
        try fileSystem.size(of: "\(folder)/\(file.name)") == file.bytes
      else { return nil }
    }
    return entry
  }
}
