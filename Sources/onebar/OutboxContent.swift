import Captures
import UploadAdapters
import Uploads

/// What an outbox holds, so that nothing is kept twice by mistake and no two go by one name.
struct OutboxContent {
  /// Bytes of one step of a digest.
  private static let digestStep = 1 << 18

  // All are only ever looked up.
  private var byDigest: [String: OutboxEntry] = [:]
  private var sizes: Set<Int> = []
  private var names: Set<String> = []

  init(_ entries: [OutboxEntry]) {
    for entry in entries { insert(entry) }
  }

  mutating func insert(_ entry: OutboxEntry) {
    names.insert(entry.capture)
    for given in entry.files where given.step != .copy {
      sizes.insert(given.bytes)
      byDigest[given.sha256] = entry
    }
  }

  /// The entry that keeps the same bytes; a file is read only when one has its length.
  func entry(
    like path: String, on files: PosixFileSystem
  ) throws(FileSystemError) -> OutboxEntry? {
    guard let size = try files.size(of: path), sizes.contains(size) else { return nil }
    let digest = SHA256Digest()
    var offset = 0
    while true {
      let piece = try files.read(path, from: offset, count: Self.digestStep)
      if piece.isEmpty { break }
      digest.update(piece)
      offset += piece.count
    }
    return byDigest[digest.finish()]
  }

  /// The file's own name, with a number behind it when another entry goes by it.
  func freeName(for path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var free = name
    var number = 2
    while names.contains(free) {
      free = "\(name) (\(number))"
      number += 1
    }
    return free
  }
}
