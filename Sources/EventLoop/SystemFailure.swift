import Glibc

/// A system call that failed: what was being done, and the system's own words for the cause.
package struct SystemFailure: Error, Hashable, CustomStringConvertible {
  package var doing: String
  package var code: Int32

  package init(_ doing: String, code: Int32 = errno) {
    self.doing = doing
    self.code = code
  }

  /// The system's own words for the cause.
  package var cause: String { String(cString: strerror(code)) }

  package var description: String { "\(doing): \(cause)" }
}
