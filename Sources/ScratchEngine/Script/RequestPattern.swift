package import Captures
package import Quantities

/// Which requests a rule is for, or which connections; a field that is nil matches any.
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
  /// Of the time of the request's head, or of the connection: from the first, and before the second.
  package var from: Instant?
  package var until: Instant?
  /// Counted from 1 in the order in which they were opened.
  package var connection: Int?
  /// The share of those that it would match which it matches, each drawn by itself; nil is all.
  package var chance: Double?

  package init(
    step: UploadStep? = nil, attempt: Int? = nil, method: String? = nil, path: String? = nil,
    bodyAtLeast: Int? = nil, expectsContinue: Bool? = nil, from: Instant? = nil,
    until: Instant? = nil, connection: Int? = nil, chance: Double? = nil
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
    self.chance = chance
  }

  /// Whether it matches a request that the ledger has listed, chance apart.
  func matches(_ request: LedgerRequest) -> Bool {
    matches(connection: request.connection, at: request.startedAt)
      && Self.fits(step, request.step) && Self.fits(attempt, request.attempt)
      && Self.fits(method, request.method)
      && Self.fits(expectsContinue, request.expectsContinue)
      && (bodyAtLeast.map { (request.declaredBytes ?? -1) >= $0 } ?? true)
      && (path.map { PathGlob($0).matches(request.path) } ?? true)
  }

  /// Whether it matches a connection at a time, chance apart.
  func matches(connection id: ConnectionID, at now: Instant) -> Bool {
    Self.fits(connection, id.number + 1) && (from.map { now >= $0 } ?? true)
      && (until.map { now < $0 } ?? true)
  }

  /// Whether it matches every request that the other one matches; false where that is not certain.
  package func covers(_ other: RequestPattern) -> Bool {
    (chance ?? 1) >= 1 && Self.fits(step, other.step) && Self.fits(attempt, other.attempt)
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
}
