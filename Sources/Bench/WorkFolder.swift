import EventLoop
import FoundationEssentials
import Glibc

/// A folder of this run alone, removed with all that is in it when the run is over.
///
/// A dilated run keeps it in memory: syncing one photo to a disk takes some 16 ms, a whole link
/// second at 60x. A process that is killed leaves it behind, without the lock that it held there; the
/// next one that makes a folder there removes it, and ends what clients have left running that had it.
final class WorkFolder: Sendable {
  /// The folder in it that a client has for its own.
  static let clientName = "client"
  private static let prefix = "onebar-"
  private static let lockName = ".lock"
  /// Another process may take a folder for left over in the moment before it is locked.
  private static let triesMax = 5

  let path: String
  /// In memory, so that a sync costs nothing and proves nothing.
  let isInMemory: Bool
  /// Held as long as this value lives.
  private let lock: Descriptor

  init(inMemory: Bool) throws(SystemFailure) {
    let candidates = inMemory ? ["/dev/shm", Self.temporary] : [Self.temporary]
    var failure = SystemFailure("making a work folder", code: ENOENT)
    for parent in candidates {
      Self.sweep(parent)
      for _ in 0..<Self.triesMax {
        var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
          failure = SystemFailure("making a work folder in \(parent)")
          break
        }
        let made = String(
          decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let lock = Self.lock(made, making: true) else {
          failure = SystemFailure("locking \(made)")
          try? FileManager.default.removeItem(atPath: made)
          continue
        }
        (path, isInMemory, self.lock) = (made, parent == "/dev/shm", lock)
        return
      }
    }
    throw failure
  }

  deinit {
    // Nothing is left to tell it to when this fails: the folder stays in the temporary files.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Removes the folders of processes that are gone: nobody holds their locks.
  ///
  /// One without a lock is left alone: it is another program's, or is being made.
  private static func sweep(_ parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = "\(parent)/\(name)"
      // The lock is held until all is gone.
      guard let lock = lock(path, making: false) else { continue }
      ProcessFamily(mark: ForeignLaunch.mark(of: "\(path)/\(clientName)")).kill()
      try? FileManager.default.removeItem(atPath: path)
      _ = lock
    }
  }

  /// Nil when another holds it, or it was removed meanwhile.
  private static func lock(_ folder: String, making: Bool) -> Descriptor? {
    let name = "\(folder)/\(lockName)"
    let number = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (making ? O_CREAT : 0), 0o600)
    guard let lock = try? Descriptor(number, doing: "locking \(name)"),
      flock(number, LOCK_EX | LOCK_NB) == 0
    else { return nil }
    var (held, named) = (stat(), stat())
    guard fstat(number, &held) == 0, stat(name, &named) == 0, held.st_ino == named.st_ino else {
      return nil
    }
    return lock
  }

  private static var temporary: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  func makeFolder(_ name: String) throws(SystemFailure) -> String {
    let folder = "\(path)/\(name)"
    guard mkdir(folder, 0o700) == 0 else { throw SystemFailure("making the folder \(folder)") }
    return folder
  }
}
