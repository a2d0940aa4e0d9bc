import EventLoop
import FoundationEssentials
import Glibc

/// A folder of this run alone, removed with all that is in it when the run is over.
///
/// A dilated run keeps it in memory: syncing one photo to a disk takes some 16 ms, a whole link
/// second at 60x.
final class WorkFolder {
  let path: String
  /// In memory, so that a sync costs nothing and proves nothing.
  let isInMemory: Bool

  init(inMemory: Bool) throws(SystemFailure) {
    let candidates =
      inMemory ? ["/dev/shm", Self.temporary] : [Self.temporary]
    var failure = SystemFailure("making a work folder", code: ENOENT)
    for parent in candidates {
      var template = Array("\(parent)/onebar-XXXXXX".utf8CString)
      if mkdtemp(&template) != nil {
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        isInMemory = parent == "/dev/shm"
        return
      }
      failure = SystemFailure("making a work folder in \(parent)")
    }
    throw failure
  }

  deinit {
    // Nothing is left to tell it to when this fails: the folder stays in the temporary files.
    try? FileManager.default.removeItem(atPath: path)
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
