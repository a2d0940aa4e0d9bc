/// A failed call on the client's file system: which file, and the system's own words for the cause.
package struct FileSystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Cause: Hashable, Sendable {
    case noSpace, notFound, exists, notPermitted, locked
    case other(String)
  }

  package var path: String
  package var cause: Cause

  package init(path: String, cause: Cause) {
    self.path = path
    self.cause = cause
  }

  package var description: String {
    switch cause {
    case .noSpace: "\(path): the disk is full"
    case .notFound: "\(path): no such file"
    case .exists: "\(path): it exists already"
    case .notPermitted: "\(path): not permitted"
    case .locked: "\(path): another process holds it"
    case .other(let words): "\(path): \(words)"
    }
  }
}

/// The calls on files that the outbox makes, each small enough to fail or to be cut short by itself.
///
/// Paths are absolute, or relative to the working folder. Nothing is durable until `sync` of the
/// file, and of its folder, has returned.
package protocol FileSystem: Sendable {
  /// Makes the folder and those above it; no error when it is there.
  func makeFolder(_ path: String) throws(FileSystemError)
  /// Names inside a folder, without `.` and `..`, sorted by their bytes.
  func list(_ path: String) throws(FileSystemError) -> [String]
  /// Bytes of a file; nil when there is none.
  func size(of path: String) throws(FileSystemError) -> Int?
  /// At most `count` bytes from `offset`; fewer only at the end of the file.
  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
  /// Writes a new file, mode 0600. An existing one is `exists`; a failure may leave a part behind.
  func create(_ path: String, _ bytes: [UInt8]) throws(FileSystemError)
  /// Copies a file to a new one, as `create` does; no more than it had when the copy began.
  func copy(_ source: String, to path: String) throws(FileSystemError)
  /// Makes a file's bytes, or a folder's names, durable.
  func sync(_ path: String) throws(FileSystemError)
  /// Replaces what stands at `path` in one step.
  func rename(_ source: String, to path: String) throws(FileSystemError)
  func remove(_ path: String) throws(FileSystemError)
  /// Holds an exclusive lock on the file, made when missing, until the process ends. Throws
  /// `locked` when another process holds it.
  func lock(_ path: String) throws(FileSystemError)
  /// Lets go of a lock that this process holds; nothing without one.
  func unlock(_ path: String)
}
