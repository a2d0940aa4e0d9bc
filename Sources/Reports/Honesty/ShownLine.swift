package import Quantities
package import Uploads

/// A status line as it was shown: its text, when it was read, and the claim behind it.
package struct ShownLine: Hashable, Sendable {
  package var text: String
  package var at: Instant
  /// Nil for a line that belongs to no capture.
  package var claim: LineClaim?
  /// How often the client had been started before: attempts are counted from 1 in each life.
  package var life: Int
  /// The client's sockets had taken the bytes that it shows.
  package var isBacked: Bool

  package init(
    _ text: String, at instant: Instant, claim: LineClaim?, life: Int = 0, isBacked: Bool = true
  ) {
    self.text = text
    at = instant
    self.claim = claim
    self.life = life
    self.isBacked = isBacked
  }
}
