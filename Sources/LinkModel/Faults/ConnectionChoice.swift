package import Quantities

/// Which connections of a link a fault is for; all of them when nothing is said.
package struct ConnectionChoice: Hashable, Sendable {
  /// The n-th of the link, counted from 1 in order of opening.
  package var number: Int?
  /// Those opened then or later, in link time.
  package var from: Instant?
  /// Those opened before.
  package var until: Instant?

  package init(number: Int? = nil, from: Instant? = nil, until: Instant? = nil) {
    self.number = number
    self.from = from
    self.until = until
  }

  func fits(number: Int, openedAt instant: Instant) -> Bool {
    (self.number ?? number) == number && (from ?? instant) <= instant
      && until.map { instant < $0 } ?? true
  }

  /// Whether every connection of the other choice is of this one too.
  func covers(_ other: ConnectionChoice) -> Bool {
    (number == nil || number == other.number)
      && (from.map { from in other.from.map { $0 >= from } ?? (from <= .zero) } ?? true)
      && (until.map { until in other.until.map { $0 <= until } ?? false } ?? true)
  }
}
