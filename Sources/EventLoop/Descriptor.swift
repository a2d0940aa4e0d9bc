import Glibc

/// Owns one file descriptor, and closes it once.
package final class Descriptor: Sendable {
  package let number: Int32

  /// Takes over the descriptor that a call returned; throws what `errno` says when it is negative.
  package init(_ number: Int32, doing: @autoclosure () -> String) throws(SystemFailure) {
    guard number >= 0 else { throw SystemFailure(doing()) }
    self.number = number
  }

  deinit {
    close(number)
  }
}
