import Quantities

/// One call of the live lane; its answer exists from `readyAt` on.
struct LiveCall: Hashable, Sendable {
  var requestID: String
  var text: String
  var readyAt: Instant
}
