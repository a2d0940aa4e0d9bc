import CLinux
import Captures
import EventLoop
import FoundationEssentials
import Glibc
package import ScratchEngine

/// What an engine has stored, in a folder: an engine that is given the folder knows it again.
///
/// `index.jsonl` has a line for each request that stored something, in their order, and names the
/// file with its body: `MOMENT/record.json`, `MOMENT/media-ID` for a file as it was sent, and
/// `request-NUMBER` for anything else. A file is written aside and renamed, its line comes after it,
/// so that an engine that is killed leaves whole files. Nothing is synced: a loss of power may take
/// the last of it away.
package final class StoreFolder: StoreKeeper {
  /// Why a folder cannot be used.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Told when something could not be kept.
  package var onFailure: ((String) -> Void)?

  private struct Line: Codable {
    var file: String
    var method: String
    var target: String
    var type: String?
    var sha256: String
  }

  /// The largest index that is read, in bytes; the engine's own limits are met far below.
  private static let indexMax = 100_000_000
  private static let indexName = "index.jsonl"
  private static let asideName = "aside.part"

  private let path: String
  private let index: Descriptor
  private var lines: [Line] = []
  /// Bytes of the index's whole lines.
  private var size = 0

  /// Makes the folder, or reads the index of one that is there.
  ///
  /// Throws when it cannot be used, another engine uses it, or its index makes no sense.
  package init(path: String) throws(Failure) {
    self.path = path
    let name = "\(path)/\(Self.indexName)"
    do throws(SystemFailure) {
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw SystemFailure("making \(path)")
      }
      index = try Descriptor(
        open(name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644), doing: "opening \(name)")
    } catch {
      throw Failure(description: "\(error)")
    }
    guard flock(index.number, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(description: "another engine keeps its store in \(path)")
    }
    try readIndex(name)
  }

  private func readIndex(_ name: String) throws(Failure) {
    let bytes = try read(name, sizeMax: Self.indexMax)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast()
    {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
        throw Failure(description: "\(name):\(lines.count + 1): this line is no entry; remove it")
      }
      lines.append(line)
    }
    // What follows the last line break is the line at which an engine was killed.
    size = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
    guard ftruncate(index.number, size) == 0 else {
      throw Failure(description: "\(SystemFailure("writing \(name)"))")
    }
  }

  /// Gives an engine all that is kept.
  ///
  /// Throws when a file is missing, or is not what was stored.
  func restore(into engine: inout Engine) throws(Failure) {
    for line in lines {
      let name = "\(path)/\(line.file)"
      let body = try read(name, sizeMax: engine.limits.media)
      guard sha256(of: body) == line.sha256 else {
        throw Failure(description: "\(name) is not what was stored; its SHA-256 differs")
      }
      let kept = KeptRequest(
        method: line.method, target: line.target, type: line.type, body: body, sha256: line.sha256)
      guard engine.restore(kept) else {
        throw Failure(description: "\(name): the engine does not take \(line.target) again")
      }
    }
  }

  package func keep(_ request: KeptRequest) throws(StoreKeeperFailure) {
    let line = Line(
      file: fileName(of: request), method: request.method, target: request.target,
      type: request.type, sha256: request.sha256)
    do throws(SystemFailure) {
      try write(request.body, as: line.file)
      try append(line)
    } catch {
      onFailure?("\(request.method) \(request.target) is not kept: \(error)")
      throw StoreKeeperFailure(cause: String(cString: strerror(error.code)))
    }
    lines.append(line)
  }

  /// Ids are the client's: they have no slash, and what stands before them keeps them from being
  /// the name of anything else.
  private func fileName(of request: KeptRequest) -> String {
    let parts = request.target.prefix { $0 != "?" }.split(separator: "/")
    guard parts.count > 2, parts[0] == "api", parts[1] == "moments" else {
      return "request-\(lines.count + 1)"
    }
    let rest = parts[3...]
    if rest.isEmpty { return "\(parts[2])/record.json" }
    if rest.count == 2, rest.first == "media" { return "\(parts[2])/media-\(parts[4])" }
    return "\(parts[2])/request-\(lines.count + 1)"
  }

  private func write(_ bytes: [UInt8], as name: String) throws(SystemFailure) {
    if let slash = name.lastIndex(of: "/") {
      let folder = "\(path)/\(name[..<slash])"
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
        throw SystemFailure("making \(folder)")
      }
    }
    try WholeFile.write(bytes, to: "\(path)/\(name)", aside: "\(path)/\(Self.asideName)")
  }

  private func append(_ line: Line) throws(SystemFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var bytes = (try? encoder.encode(line)).map({ Array($0) }) else {
      throw SystemFailure("writing the index", code: EINVAL)
    }
    bytes.append(UInt8(ascii: "\n"))
    let count = Glibc.write(index.number, bytes, bytes.count)
    guard count == bytes.count else {
      let failure = SystemFailure("writing the index", code: count < 0 ? errno : ENOSPC)
      _ = ftruncate(index.number, size)
      throw failure
    }
    size += bytes.count
  }

  private func read(_ name: String, sizeMax: Int) throws(Failure) -> [UInt8] {
    do throws(SystemFailure) {
      return try WholeFile.read(name, sizeMax: sizeMax)
    } catch {
      throw Failure(description: "\(error)")
    }
  }
}
