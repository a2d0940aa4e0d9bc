import ScratchHTTP

/// A request whose body is coming in, or whose answer is not out yet.
struct OpenRequest {
  /// What is known of it once its head was read.
  enum Fate {
    /// It is whole when its body is; then it is done.
    case route(Route, RouteMatch)
    /// It is answered with this.
    case answer(ServerAnswer)
  }

  var place: Ledger.Place
  var head: RequestHead
  var fate: Fate
  /// What a rule adds to the time of the answer.
  var delay = Duration.zero
  /// The body, as far as its route keeps it.
  var body: [UInt8] = []
  var count = 0
  var digest: (any BodyDigest)?
  /// Bytes of the body before the engine answers without the rest; nil when it reads any length.
  var limit: Int?
  /// The answer is given away to be sent.
  var isAnswered = false
  var bodyHasEnded = false
  /// A rule's own `Connection: close`.
  var closes = false

  /// More came than the engine reads before it answers.
  var isOverLimit: Bool { limit.map { count > $0 } ?? false }

  mutating func receive(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    bytes.withUnsafeBytes { digest?.update($0) }
    guard case .route(let route, _) = fate, route.body != .none else { return }
    // At once, so that a body of many pieces is not moved again and again as it grows.
    if body.isEmpty, let declared = head.declaredBytes {
      body.reserveCapacity(min(declared, limit ?? declared))
    }
    body += bytes
  }
}
