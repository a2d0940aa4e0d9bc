import CLinux
import EventLoop
import Glibc

/// A terminal that nobody sits at: what is printed to it is read at the other end.
struct PseudoTerminal {
  /// The usual size of one; programs fit their lines to it.
  static let columns: Int32 = 80
  static let rows: Int32 = 24
  private static let nameMax = 64

  /// Where its output is read.
  let controller: Descriptor
  /// Itself, kept open until a process has it.
  let terminal: Descriptor
  /// The path of itself.
  let name: String

  init() throws(SystemFailure) {
    var ends: (controller: Int32, terminal: Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: Self.nameMax)
    guard
      CLinux_terminalCreate(
        &ends.controller, &ends.terminal, &path, Int32(Self.nameMax), Self.columns, Self.rows) == 0
    else { throw SystemFailure("making a terminal (a command with tty: no needs none)") }
    controller = try Descriptor(ends.controller, doing: "making a terminal")
    terminal = try Descriptor(ends.terminal, doing: "making a terminal")
    name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
