import Uploads

/// A file system with somebody in between: to the disk it looks like a client that writes so, or that
/// reads so.
struct TamperedFileSystem: FileSystem {
  var real: any FileSystem
  var skipsSync: @Sendable (String) -> Bool = { _ in false }
  /// A file that was to have this name goes instead.
  var skipsNaming: @Sendable (String) -> Bool = { _ in false }
  var failsRemoving: @Sendable (String) -> Bool = { _ in false }
  var bytes: @Sendable (_ path: String, [UInt8]) -> [UInt8] = { $1 }

  func makeFolder(_ path: String) throws(FileSystemError) { try real.makeFolder(path) }

  func list(_ path: String) throws(FileSystemError) -> [String] { try real.list(path) }

  func size(of path: String) throws(FileSystemError) -> Int? { try real.size(of: path) }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    bytes(path, try real.read(path, from: offset, count: count))
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try real.create(path, bytes)
  }

  func copy(_ source: String, to path: String) throws(FileSystemError) {
    try real.copy(source, to: path)
  }

  func sync(_ path: String) throws(FileSystemError) {
    if !skipsSync(path) { try real.sync(path) }
  }

  func rename(_ source: String, to path: String) throws(FileSystemError) {
    if skipsNaming(path) {
      try real.remove(source)
    } else {
      try real.rename(source, to: path)
    }
  }

  func remove(_ path: String) throws(FileSystemError) {
    if failsRemoving(path) { throw FileSystemError(path: path, cause: .notPermitted) }
    try real.remove(path)
  }

  func lock(_ path: String) throws(FileSystemError) { try real.lock(path) }

  func unlock(_ path: String) { real.unlock(path) }
}
