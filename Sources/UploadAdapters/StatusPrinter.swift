import Glibc
import Synchronization

/// Prints status lines, each as one whole line in one write.
///
/// A reader that has gone is no error: the line is lost and the client goes on.
package final class StatusPrinter: Sendable {
  /// Bytes of a line with its end: what a pipe takes in one piece (PIPE_BUF of Linux).
  package static let lineBytesMax = 4_096

  /// Serialises the lines of several tasks; the value is the descriptor.
  private let output: Mutex<Int32>

  /// Standard output by default.
  ///
  /// Ignores SIGPIPE for the whole process.
  package init(descriptor: Int32 = STDOUT_FILENO) {
    ignoreBrokenPipes()
    output = Mutex(descriptor)
  }

  /// Prints one line.
  ///
  /// Control characters become spaces (a reason given by an engine may hold a line break or a
  /// terminal code), and a line beyond ``lineBytesMax`` ends with an ellipsis.
  package func print(_ line: String) {
    let bytes = Self.bytes(of: line)
    output.withLock { descriptor in
      // A lost line has nobody to be told to.
      try? writeAll(bytes, to: descriptor)
    }
  }

  /// A line as whoever reads it gets it, without its end.
  package static func printed(_ line: String) -> String {
    // Most lines are printed as they are.
    let isPlain = line.utf8.count < lineBytesMax / 2 && line.utf8.allSatisfy { 0x20..<0x7f ~= $0 }
    return isPlain ? line : String(decoding: bytes(of: line).dropLast(), as: UTF8.self)
  }

  static func bytes(of line: String) -> [UInt8] {
    let end = "…\n"
    var bytes: [UInt8] = []
    for character in line {
      let isControl = character.unicodeScalars.contains {
        $0.properties.generalCategory == .control
      }
      let next = isControl ? " " : character
      if bytes.count + next.utf8.count + end.utf8.count > lineBytesMax {
        return bytes + Array(end.utf8)
      }
      bytes += Array(next.utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
