import COpenSSL

/// A call of OpenSSL that failed: what was being done, and OpenSSL's own words for the cause.
package struct TLSFailure: Error, Hashable, CustomStringConvertible {
  package var doing: String
  package var reason: String

  /// Takes the reason from OpenSSL's queue of errors.
  init(_ doing: String) {
    self.doing = doing
    reason = Self.takeReason() ?? "unknown error"
  }

  package var description: String { "\(doing): \(reason)" }

  static func takeReason() -> String? {
    COpenSSL_takeReason().map { String(cString: $0) }
  }
}
