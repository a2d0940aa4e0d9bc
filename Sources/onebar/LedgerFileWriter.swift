import EventLoop
import Glibc

/// A file that grows by whole lines.
final class LedgerFileWriter {
  private let path: String
  private let descriptor: Descriptor
  /// Bytes of the lines that are whole.
  private var size = 0
  private var waiting: [UInt8] = []
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

  /// Adds a line, to be written by the next ``flush()``.
  func add(_ line: String) {
    guard !hasFailed else { return }
    waiting += line.utf8
    waiting.append(UInt8(ascii: "\n"))
  }

  /// Writes the lines that wait, at the end of the file and together, so that an engine that is
  /// killed leaves whole lines.
  ///
  /// A disk that is full is told once, and ends the writing; what was written of these lines is taken
  /// away again.
  func flush() {
    defer { waiting.removeAll(keepingCapacity: true) }
    var rest = waiting[...]
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
    size += waiting.count
  }
}
