package import Quantities

/// A link that somebody else has published, with where its numbers were read.
///
/// What is published and what is applied are both kept: tools of one family halve, multiply and
/// copy each other's figures, and a name alone does not say which link is meant.
package struct LinkPreset: Hashable, Sendable {
  /// How its numbers are known, the best first.
  package enum Mark: String, Hashable, Sendable, CaseIterable {
    /// Read in the source of the project that is named.
    case source
    /// In documentation or a specification.
    case documentation
    /// In a public issue or change request.
    case issue
    /// Only in somebody's copy.
    case secondary
    /// Commonly said; nothing was found that shows it.
    case unverified
  }

  /// In kebab case, the publisher first.
  package let name: String
  package let title: String
  package let up: PublishedRate
  package let down: PublishedRate
  package let delay: PublishedDelay
  /// Packets that are lost in each direction, of all: 0.01 is one in a hundred.
  package let loss: Double
  /// What was read.
  package let source: String
  /// Of the number that is known worst.
  package let mark: Mark

  init(
    _ name: String, _ title: String, up: PublishedRate, down: PublishedRate,
    delay: PublishedDelay, loss: Double = 0, source: String, _ mark: Mark
  ) {
    self.name = name
    self.title = title
    self.up = up
    self.down = down
    self.delay = delay
    self.loss = loss
    self.source = source
    self.mark = mark
  }

  /// Nil when no preset has that name.
  package init?(named name: String) {
    guard let preset = LinkPreset.all.first(where: { $0.name == name }) else { return nil }
    self = preset
  }

  /// All of them, by publisher.
  package static let all =
    story + apple + devTools + lighthouse + firefox + webPageTest + throttle + trafficControl
    + comcast + android + firebase + browserStack

  package static var names: [String] { all.map(\.name) }

  /// Its name, what it is and where that was read.
  package var citation: String { "\(name), \(title) (\(source); \(mark.rawValue))" }

  /// The link itself; a loss of everything is an outage for good.
  package func conditions(
    buffer: ByteCount = LinkConditions.defaultBuffer
  ) -> LinkConditions {
    let stall = Loss.stall(roundTrip: delay.up + delay.down)
    let loss = (0..<1).contains(loss) && loss > 0 ? Loss(ratio: loss, stall: stall) : nil
    return LinkConditions(
      up: DirectionConditions(rate: .constant(up.applied), latency: delay.up, loss: loss),
      down: DirectionConditions(rate: .constant(down.applied), latency: delay.down, loss: loss),
      buffer: buffer)
  }
}
