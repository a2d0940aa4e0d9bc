import CLinux
import Glibc

/// Standard output for what was asked for, standard error for everything else.
enum Terminal {
  /// Columns where neither the terminal nor COLUMNS tells.
  private static let usualWidth = 80

  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Columns of the terminal on standard error, as it is now.
  static var errorWidth: Int {
    let width = Int(CLinux_terminalWidth(STDERR_FILENO))
    if width > 0 { return width }
    let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 0
    return columns > 0 ? columns : usualWidth
  }

  static func print(_ text: String) {
    write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO)
  }

  static func note(_ text: String) {
    write(text + "\n", to: STDERR_FILENO)
  }

  static func complain(_ text: String) {
    note("onebar: " + text)
  }

  /// Writes as much as is taken, and says whether it was all: a reader that has gone ends nothing
  /// here.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
