import CLinux
import Captures
import EventLoop
import Glibc
package import ScratchEngine

/// What an engine has stored, in a folder: an engine that is given the folder knows it again.
///
/// `index.jsonl` has a line for each request that stored something, in their order, and names the
/// file with its body: `MOMENT/record.json`, `MOMENT/media-ID` for a file as it was sent,
/// `file-NUMBER` for one under `/files`, and `request-NUMBER` for anything else. A file is written
/// aside and renamed, its line comes after it, so that an engine that is killed leaves whole files.
/// Nothing is synced: a loss of power may take the last of it away. What is damaged is set aside by
/// name, and the rest is there.
package final class StoreFolder: StoreKeeper {
  /// Why a folder cannot be used.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Told when something could not be kept, or is damaged.
  package var onFailure: ((String) -> Void)?

  private let path: String
  /// Locked as long as an engine has it.
  private let folder: Descriptor
  private let index: StoreIndex
  private let aside: String
  /// Of the next file that is named by its number: no file has a higher one.
  private var nextNumber = 1

  /// Makes the folder, or reads the index of one that is there.
  ///
  /// Throws when it cannot be used, or another engine uses it.
  package init(path: String) throws(Failure) {
    self.path = path
    aside = "\(path)/aside.part"
    do throws(SystemFailure) {
      guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw SystemFailure("making \(path)")
      }
      folder = try Descriptor(
        open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), doing: "opening \(path)")
    } catch {
      throw Failure(description: "\(error)")
    }
    guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
      throw Failure(description: "another engine keeps its store in \(path)")
    }
    do throws(SystemFailure) {
      index = try StoreIndex(in: path, aside: aside)
    } catch {
      throw Failure(description: "\(error)")
    }
    // Of an engine that was killed while it wrote.
    unlink(aside)
    nextNumber = max(index.lines.count, index.lines.compactMap(\.number).max() ?? 0) + 1
  }

  // MARK: Restoring

  /// Gives an engine all that is kept and whole, and sets the rest aside.
  ///
  /// Throws when a file cannot be read for a reason that may pass.
  func restore(into engine: inout Engine) throws(Failure) {
    do throws(SystemFailure) {
      var whole: [StoreIndex.Line] = []
      for line in index.lines {
        if let damage = try restore(line, into: &engine) {
          try setAside(line, damage)
        } else {
          whole.append(line)
        }
      }
      let senseless = index.senseless
      guard whole.count < index.lines.count || !senseless.isEmpty else { return }
      let old = try index.replace(with: whole)
      for number in senseless {
        onFailure?("\(path)/\(StoreIndex.name):\(number): this line is no entry; it is left out")
      }
      onFailure?("the index as it was is in \(old)")
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  /// Why it cannot be; nil when it was restored.
  private func restore(
    _ line: StoreIndex.Line, into engine: inout Engine
  ) throws(SystemFailure) -> String? {
    var body: [UInt8]?
    if let file = line.file {
      do throws(SystemFailure) {
        body = try WholeFile.read(
          "\(path)/\(file)", sizeMax: max(engine.limits.media, engine.limits.fileKept))
      } catch {
        guard [ENOENT, ENOTDIR, EISDIR, EFBIG].contains(error.code) else { throw error }
        return error.cause
      }
      guard body.map(sha256) == line.sha256 else {
        return "it is not what was stored, its SHA-256 differs"
      }
    }
    let kept = KeptRequest(
      method: line.method, target: line.target, type: line.type, body: body, bytes: line.bytes,
      sha256: line.sha256, storedAt: line.stored)
    return engine.restore(kept) ? nil : "the engine does not take it without what was before it"
  }

  private func setAside(_ line: StoreIndex.Line, _ damage: String) throws(SystemFailure) {
    let what = "\(line.method) \(line.target) is not stored any more"
    guard let file = line.file else {
      onFailure?("\(what): \(damage)")
      return
    }
    let name = "\(path)/\(file)"
    let other = DamagedName.free(for: name)
    if rename(name, other) == 0 {
      onFailure?("\(what): \(name): \(damage); it is set aside as \(other)")
    } else {
      onFailure?("\(what): \(name): \(damage)")
    }
  }

  // MARK: Keeping

  package func keep(_ request: KeptRequest) throws(StoreKeeperFailure) {
    let line = StoreIndex.Line(
      file: request.body == nil ? nil : fileName(of: request), method: request.method,
      target: request.target, type: request.type, bytes: request.bytes, sha256: request.sha256,
      stored: request.storedAt)
    do throws(SystemFailure) {
      if let body = request.body, let file = line.file { try write(body, as: file) }
      try index.add(line)
    } catch {
      onFailure?("\(request.method) \(request.target) is not kept: \(error)")
      throw StoreKeeperFailure(cause: error.cause)
    }
    nextNumber += 1
  }

  /// Ids are the client's: they have no slash, and what stands before them keeps them from being
  /// the name of anything else.
  private func fileName(of request: KeptRequest) -> String {
    let parts = request.target.prefix { $0 != "?" }.split(separator: "/")
    if parts.first == "files" { return "file-\(nextNumber)" }
    guard parts.count > 2, parts[0] == "api", parts[1] == "moments" else {
      return "request-\(nextNumber)"
    }
    let rest = parts[3...]
    if rest.isEmpty { return "\(parts[2])/record.json" }
    if rest.count == 2, rest.first == "media" { return "\(parts[2])/media-\(parts[4])" }
    return "\(parts[2])/request-\(nextNumber)"
  }

  private func write(_ bytes: [UInt8], as name: String) throws(SystemFailure) {
    if let slash = name.lastIndex(of: "/") {
      let folder = "\(path)/\(name[..<slash])"
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
        throw SystemFailure("making \(folder)")
      }
    }
    try WholeFile.write(bytes, to: "\(path)/\(name)", aside: aside)
  }
}

extension StoreIndex.Line {
  /// The number in the name of its file; nil where it has another name.
  fileprivate var number: Int? {
    guard let name = file?.split(separator: "/").last,
      name.hasPrefix("file-") || name.hasPrefix("request-")
    else { return nil }
    return name.split(separator: "-").last.flatMap { Int($0) }
  }
}
