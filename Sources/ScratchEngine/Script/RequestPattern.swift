package import Captures
package import Quantities

/// Which requests a rule is for; a field that is nil matches any.
package struct RequestPattern: Hashable, Sendable {
  package var step: UploadStep?
  /// Counted from 1, per step and capture.
  package var attempt: Int?
  package var method: String?
  /// The path without its query; `*` stands for any characters, none among them.
  package var path: String?
  /// Bytes of the declared body, at least; a body without a declared length is not matched.
  package var bodyAtLeast: Int?
  /// Whether its client waits for `100 Continue` before it sends the body.
  package var expectsContinue: Bool?
  /// Of the time of the request's head: from the first, and before the second.
  package var from: Instant?
  package var until: Instant?
  /// Counted from 1 in the order in which they were opened.
  package var connection: Int?

  package init(
    step: UploadStep? = nil, attempt: Int? = nil, method: String? = nil, path: String? = nil,
    bodyAtLeast: Int? = nil, expectsContinue: Bool? = nil, from: Instant? = nil,
    until: Instant? = nil, connection: Int? = nil
  ) {
    self.step = step
    self.attempt = attempt
    self.method = method
    self.path = path
    self.bodyAtLeast = bodyAtLeast
    self.expectsContinue = expectsContinue
    self.from = from
    self.until = until
    self.connection = connection
  }

  /// Whether it matches a request that the ledger has listed.
  func matches(_ request: LedgerRequest) -> Bool {
    Self.fits(step, request.step) && Self.fits(attempt, request.attempt)
      && Self.fits(method, request.method) && Self.fits(connection, request.connection.number + 1)
      && Self.fits(expectsContinue, request.expectsContinue)
      && (bodyAtLeast.map { (request.declaredBytes ?? -1) >= $0 } ?? true)
      && (from.map { request.startedAt >= $0 } ?? true)
      && (until.map { request.startedAt < $0 } ?? true)
      && (path.map { Self.glob($0.utf8[...], request.path.utf8[...]) } ?? true)
  }

  /// Whether it matches every request that the other one matches; false where that is not certain.
  package func covers(_ other: RequestPattern) -> Bool {
    Self.fits(step, other.step) && Self.fits(attempt, other.attempt)
      && Self.fits(method, other.method) && Self.fits(path, other.path)
      && Self.fits(connection, other.connection)
      && Self.fits(expectsContinue, other.expectsContinue)
      && (bodyAtLeast.map { (other.bodyAtLeast ?? -1) >= $0 } ?? true)
      && (from.map { (other.from ?? .zero) >= $0 } ?? true)
      && (until.map { (other.until ?? .distantFuture) <= $0 } ?? true)
  }

  private static func fits<Value: Equatable>(_ asked: Value?, _ value: Value?) -> Bool {
    asked == nil || asked == value
  }

  /// Remembers the newest star alone, so that it takes at most pattern times text steps.
  private static func glob(_ pattern: Substring.UTF8View, _ text: Substring.UTF8View) -> Bool {
    let star = UInt8(ascii: "*")
    var (pattern, text) = (pattern, text)
    var retry: (pattern: Substring.UTF8View, text: Substring.UTF8View)?
    while true {
      if pattern.first == star {
        pattern = pattern.dropFirst()
        retry = (pattern, text)
      } else if let byte = text.first, byte == pattern.first {
        (pattern, text) = (pattern.dropFirst(), text.dropFirst())
      } else if text.isEmpty, pattern.isEmpty {
        return true
      } else {
        // The star takes one byte more, as long as there is one.
        guard let last = retry, !last.text.isEmpty else { return false }
        (pattern, text) = (last.pattern, last.text.dropFirst())
        retry = (pattern, text)
      }
    }
  }
}
