import EventLoop
import Glibc

/// A file that grows by whole lines.
final class LedgerFileWriter {
  private let path: String
  private let descriptor: Descriptor
  /// Bytes of the lines that are whole.
  private var size = 0
  private var hasFailed = false

  /// Makes the file anew.
  ///
  /// Throws when it cannot be written.
  init(path: String) throws(SystemFailure) {
    self.path = path
    descriptor = try Descriptor(
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644),
      doing: "opening \(path)")
  }

  /// Adds a line, at once: nothing waits in this process.
  ///
  /// A disk that is full is told once, and ends the writing; what was written of the line is taken
  /// away again.
  func write(_ line: String) {
    guard !hasFailed else { return }
    let bytes = Array((line + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.write(descriptor.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        hasFailed = true
        Terminal.complain("\(SystemFailure("writing \(path)")); no more lines are added to it")
        _ = ftruncate(descriptor.number, size)
        return
      }
      rest = rest.dropFirst(count)
    }
    size += bytes.count
  }
}
