import Captures
import FoundationEssentials
import TestSupport
import Uploads

/// An outbox as it stands on a disk, read while nobody writes there.
struct OutboxLook: Sendable {
  let folder: String

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(folder)/\(name)").map { Array($0) }
  }

  func entry(ofRecord name: String) -> OutboxEntry? {
    bytes(of: name).flatMap { try? JSONDecoder().decode(OutboxEntry.self, from: Data($0)) }
  }

  /// The entry whose record a file aside is going to replace; nil when there is none yet.
  func entry(ofRecordAside name: String) -> OutboxEntry? {
    entry(ofRecord: String(name.dropLast(".new".count)))
  }

  /// Those whose records can be read, in capture order.
  var entries: [OutboxEntry] {
    names.filter { $0.hasSuffix(".json") }.compactMap(entry(ofRecord:))
  }

  /// Records without their files, and files without a record, in an outbox that was recovered.
  var violations: [Violation] {
    var found: [Violation] = []
    var owned: Set<String> = ["lock"]
    for name in names where name.hasSuffix(".json") {
      guard let entry = entry(ofRecord: name) else {
        found.append(Violation(kind: .unreadableRecord, detail: name))
        continue
      }
      owned.insert(name)
      for file in entry.files {
        owned.insert(file.name)
        if bytes(of: file.name).map({ sha256(of: $0) }) != file.sha256 {
          found.append(Violation(kind: .recordWithoutFile, detail: file.name))
        }
      }
    }
    for name in names where !owned.contains(name) {
      // A start keeps under another name what it cannot read, and what has lost its files.
      let kind: Violation.Kind =
        name.hasSuffix(".damaged")
        ? entry(ofRecord: name) == nil ? .unreadableRecord : .recordWithoutFile : .orphan
      found.append(Violation(kind: kind, detail: name))
    }
    return found
  }
}
