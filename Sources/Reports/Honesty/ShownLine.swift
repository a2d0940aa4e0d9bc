package import Quantities
package import Scenarios
package import Uploads

/// A status line as it was shown: its text, when it was read, and the claim behind it.
package struct ShownLine: Hashable, Sendable {
  /// What it says of a file or a capture.
  package enum Claim: Hashable, Sendable {
    /// As the built-in client means it.
    case own(LineClaim)
    /// As a pattern reads it from the line of a client that is not ours.
    case figures(FigureClaim)
  }

  package var text: String
  package var at: Instant
  /// Nil for a line that says nothing of the kind.
  package var claim: Claim?
  /// How often the client had been started before: attempts are counted from 1 in each life.
  package var life: Int
  /// Body bytes of the file that it is about that the client's sockets had taken, at most.
  package var taken: Int

  package init(
    _ text: String, at instant: Instant, claim: Claim?, life: Int = 0, taken: Int = .max
  ) {
    self.text = text
    at = instant
    self.claim = claim
    self.life = life
    self.taken = taken
  }

  /// The client's sockets had taken the bytes that it shows.
  var isBacked: Bool { ByteClaim(in: text)?.isBacked(by: taken) ?? true }
}
