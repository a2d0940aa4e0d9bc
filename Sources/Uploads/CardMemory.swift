package import Quantities

/// The memory of a web card: what was picked, its note and its ids, for as long as the page is open.
///
/// Nothing is written. The files are read where they were picked, and a page that is closed has
/// forgotten all of it.
package struct CardMemory: EntryStore {
  /// Entries kept at once; a page with more of them is not meant.
  package static let entriesMax = 1_000

  package let folder: String
  package var mint: IdentityMint
  private let fileSystem: any FileSystem
  private let digest: FileDigestMaking
  private var sequence = 0
  private var count = 0

  /// `folder` is the one in which files are picked.
  package init(
    picking folder: String, on fileSystem: any FileSystem, mint: IdentityMint,
    digest: @escaping FileDigestMaking
  ) {
    self.folder = folder
    self.fileSystem = fileSystem
    self.mint = mint
    self.digest = digest
  }

  /// A page is of one process.
  package mutating func newcomers() -> [OutboxEntry] { [] }

  /// Takes the files as they were picked: no copy is made of a photo, what its camera says is not
  /// looked at, and the time is now.
  package mutating func commit(
    _ draft: CaptureDraft, now: Instant
  ) throws(FileSystemError) -> OutboxEntry {
    guard count < Self.entriesMax else {
      throw FileSystemError(
        path: folder,
        cause: .other("the page holds \(Self.entriesMax) captures already; send some first"))
    }
    let files = draft.files.filter { UploadPolicy.Client.card.sends($0.step) }
    let identity = mint.identity(sequence: sequence + 1, files: files.count, now: now)
    var entry = OutboxEntry(
      sequence: sequence + 1, id: identity.entry, capture: draft.capture, kind: draft.kind,
      moment: identity.moment, turn: identity.turn, text: identity.text, note: draft.note,
      capturedAt: mint.clock.rfc3339(at: now), timeZone: draft.timeZone, place: nil, files: [])
    for (file, media) in zip(files, identity.media) {
      let (bytes, sha256) = try fileSystem.digest(of: file.path, with: digest)
      entry.files.append(
        OutboxFile(
          step: file.step, media: media, name: String(file.path.dropFirst(folder.count + 1)),
          bytes: bytes, sha256: sha256, type: file.type))
    }
    sequence += 1
    count += 1
    return entry
  }

  package func save(_ entry: OutboxEntry) {}

  package mutating func retire(_ entry: OutboxEntry) { count -= 1 }

  package mutating func removeRecord(of entry: OutboxEntry) { count -= 1 }

  package func removeFiles(of entry: OutboxEntry) {}

  package func isAsKept(_ file: OutboxFile) -> Bool? {
    fileSystem.isStill(file, at: "\(folder)/\(file.name)", with: digest)
  }
}
