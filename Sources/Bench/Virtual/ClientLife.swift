import Synchronization
import Uploads

/// Whether a client's process still lives: once it was killed, nothing that it does has an effect.
final class ClientLife: Sendable {
  private let over = Mutex(false)

  var isOver: Bool { over.withLock { $0 } }

  func end() { over.withLock { $0 = true } }
}

/// The disk as one process sees it: every call of a killed one fails.
struct LivingFileSystem: FileSystem {
  let disk: any FileSystem
  let life: ClientLife

  private func check(_ path: String) throws(FileSystemError) {
    if life.isOver { throw FileSystemError(path: path, cause: .other("the process was killed")) }
  }

  func makeFolder(_ path: String) throws(FileSystemError) {
    try check(path)
    try disk.makeFolder(path)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try check(path)
    return try disk.list(path)
  }

  func size(of path: String) throws(FileSystemError) -> Int? {
    try check(path)
    return try disk.size(of: path)
  }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try check(path)
    return try disk.read(path, from: offset, count: count)
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError) {
    try check(path)
    try disk.create(path, bytes)
  }

  func copy(_ source: String, to path: String) throws(FileSystemError) {
    try check(path)
    try disk.copy(source, to: path)
  }

  func sync(_ path: String) throws(FileSystemError) {
    try check(path)
    try disk.sync(path)
  }

  func rename(_ source: String, to path: String) throws(FileSystemError) {
    try check(path)
    try disk.rename(source, to: path)
  }

  func remove(_ path: String) throws(FileSystemError) {
    try check(path)
    try disk.remove(path)
  }

  func lock(_ path: String) throws(FileSystemError) {
    try check(path)
    try disk.lock(path)
  }

  func unlock(_ path: String) { disk.unlock(path) }
}
