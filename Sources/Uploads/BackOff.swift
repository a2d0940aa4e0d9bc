import Quantities

/// How long an entry rests whose file is refused, whole, again and again.
///
/// A refusal that may pass costs a whole body each time that it does not, so that from the third on
/// the rests double:
///
/// | whole bodies refused | rest |
/// | -- | -- |
/// | 1, 2 | none beyond the sync loop's |
/// | 3 | 120 s |
/// | 4 | 240 s |
/// | 5 | 480 s |
/// | 6 and more | 900 s |
///
/// The number is kept in the entry's record. The rest itself is not, since no clock outlives a
/// process: a client that is started again lets the entry rest once more from then on.
package enum BackOff {
  /// Refused bodies without a rest of their own.
  package static let free = 2
  package static let shortest = Duration.seconds(120)
  package static let longest = Duration.seconds(900)

  /// Nil while the next pass may try again.
  package static func rest(after bodies: Int) -> Duration? {
    guard bodies > free else { return nil }
    // Three doublings go beyond the longest.
    return min(longest, shortest * (1 << min(bodies - free - 1, 3)))
  }
}
