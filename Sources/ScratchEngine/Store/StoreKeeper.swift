/// Where what is stored is kept as well, so that it outlives the engine.
package protocol StoreKeeper: AnyObject {
  /// Keeps one request that has stored something; throws when it cannot, and the request is refused.
  func keep(_ request: KeptRequest) throws(StoreKeeperFailure)
}

/// What was asked for could not be kept: the system's words for the cause.
package struct StoreKeeperFailure: Error, Hashable, Sendable {
  package var cause: String

  package init(cause: String) {
    self.cause = cause
  }
}

/// A request that stored something, as far as that depends on it.
///
/// The store is made of such requests in their order, so that an engine to which they are given
/// again knows what the first one knew. An upload of open files is one for each file, under the path
/// at which it is read back.
package struct KeptRequest: Hashable, Sendable {
  package var method: String
  package var target: String
  package var type: String?
  /// Nil of an open file that is too large to be kept: its count and digest are.
  package var body: [UInt8]?
  package var bytes: Int
  package var sha256: String
  /// By the engine's clock, in milliseconds since 1970.
  package var storedAt: Int64

  package init(
    method: String, target: String, type: String?, body: [UInt8]?, bytes: Int, sha256: String,
    storedAt: Int64
  ) {
    self.method = method
    self.target = target
    self.type = type
    self.body = body
    self.bytes = bytes
    self.sha256 = sha256
    self.storedAt = storedAt
  }
}
