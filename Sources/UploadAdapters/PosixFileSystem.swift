import CLinux
import Glibc
import Synchronization
package import Uploads

/// The client's file system over POSIX calls.
///
/// Files are made with mode 0600 and folders with mode 0700. A lock lasts as long as this value or
/// the process, whichever ends first.
package final class PosixFileSystem: FileSystem {
  /// Bytes of one step of a copy that this process makes itself.
  private static let copyStep = 1 << 18

  /// Held locks by path; the descriptor is the lock (`flock`).
  private let locks = Mutex<[String: Int32]>([:])

  package init() {}

  deinit {
    locks.withLock { locks in
      for descriptor in locks.values { close(descriptor) }
    }
  }

  package func makeFolder(_ path: String) throws(FileSystemError) {
    var made = path.hasPrefix("/") ? "" : "."
    for name in path.split(separator: "/") {
      made += "/" + name
      do throws(SystemFailure) {
        try retrying { mkdir(made, 0o700) }
      } catch {
        if error.number == EEXIST, isFolder(made) { continue }
        throw FileSystemError(made, error)
      }
    }
  }

  package func list(_ path: String) throws(FileSystemError) -> [String] {
    guard let folder = opendir(path) else {
      throw FileSystemError(path, SystemFailure(number: errno))
    }
    defer { closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    if errno != 0 { throw FileSystemError(path, SystemFailure(number: errno)) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  package func size(of path: String) throws(FileSystemError) -> Int? {
    var status = stat()
    do throws(SystemFailure) {
      try retrying { stat(path, &status) }
      return Int(status.st_size)
    } catch {
      if error.number == ENOENT { return nil }
      throw FileSystemError(path, error)
    }
  }

  package func read(
    _ path: String, from offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] {
    try naming(path) { () throws(SystemFailure) in
      let file = try OwnedDescriptor(opening: path, O_RDONLY)
      // A caller may ask for "all" with a large count; memory follows what the file has.
      let room = max(0, min(count, try file.size() - offset))
      var result = Result<Int, SystemFailure>.success(0)
      let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        result = Result { () throws(SystemFailure) in
          try file.read(into: UnsafeMutableRawBufferPointer(buffer), from: offset)
        }
        count = (try? result.get()) ?? 0
      }
      _ = try result.get()
      return bytes
    }
  }

  package func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try naming(path) { () throws(SystemFailure) in
      let file = try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      try writeAll(bytes, to: file.number)
    }
  }

  package func copy(_ source: String, to path: String) throws(FileSystemError) {
    // The error names the file at which the call failed.
    let from = try naming(source) { () throws(SystemFailure) in
      try OwnedDescriptor(opening: source, O_RDONLY)
    }
    let total = try naming(source) { () throws(SystemFailure) in try from.size() }
    let file = try naming(path) { () throws(SystemFailure) in
      try OwnedDescriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }
    // The kernel copies by itself, within one file system of most kinds. What it does not take, the
    // rest of this does, or it finds the same failure with the name of its file.
    var offset = 0
    while offset < total {
      let count = CLinux_copyRange(from.number, Int64(offset), file.number, total - offset)
      if count <= 0 { break }
      offset += count
    }
    if offset == total { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.copyStep, alignment: 16)
    defer { buffer.deallocate() }
    while offset < total {
      let step = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, total - offset)])
      let count = try naming(source) { () throws(SystemFailure) in
        try from.read(into: step, from: offset)
      }
      if count == 0 { return }
      try naming(path) { () throws(SystemFailure) in
        try writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file.number)
      }
      offset += count
    }
  }

  package func sync(_ path: String) throws(FileSystemError) {
    try naming(path) { () throws(SystemFailure) in
      let opened = try OwnedDescriptor(opening: path, O_RDONLY)
      try retrying { fsync(opened.number) }
    }
  }

  package func rename(_ source: String, to path: String) throws(FileSystemError) {
    try naming(source) { () throws(SystemFailure) in
      try retrying { Glibc.rename(source, path) }
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try naming(path) { () throws(SystemFailure) in
      try retrying { Glibc.remove(path) }
    }
  }

  package func lock(_ path: String) throws(FileSystemError) {
    let failure = locks.withLock { locks -> SystemFailure? in
      if locks[path] != nil { return nil }
      do throws(SystemFailure) {
        let descriptor = try retrying { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        do throws(SystemFailure) {
          try retrying { flock(descriptor, LOCK_EX | LOCK_NB) }
        } catch {
          close(descriptor)
          throw error
        }
        locks[path] = descriptor
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw FileSystemError(path, failure) }
  }

  /// What stands at a path, behind any link.
  package enum Kind: Hashable, Sendable {
    case file, folder
    /// A pipe, a socket or a device: opening one may wait for ever.
    case other
  }

  /// Nil when there is nothing.
  package func kind(of path: String) throws(FileSystemError) -> Kind? {
    var status = stat()
    do throws(SystemFailure) {
      try retrying { stat(path, &status) }
    } catch {
      if error.number == ENOENT { return nil }
      throw FileSystemError(path, error)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  package func unlock(_ path: String) {
    if let descriptor = locks.withLock({ $0.removeValue(forKey: path) }) { close(descriptor) }
  }

  private func isFolder(_ path: String) -> Bool {
    (try? kind(of: path)) == .folder
  }

  @discardableResult
  private func naming<Result: ~Copyable>(
    _ path: String, _ calls: () throws(SystemFailure) -> Result
  ) throws(FileSystemError) -> Result {
    do throws(SystemFailure) {
      return try calls()
    } catch {
      throw FileSystemError(path, error)
    }
  }
}

extension FileSystemError {
  init(_ path: String, _ failure: SystemFailure) {
    let cause: Cause =
      switch failure.number {
      case ENOSPC, EDQUOT: .noSpace
      case ENOENT: .notFound
      case EEXIST: .exists
      case EACCES, EPERM, EROFS: .notPermitted
      case EWOULDBLOCK: .locked
      default: .other(failure.words)
      }
    self.init(path: path, cause: cause)
  }
}
