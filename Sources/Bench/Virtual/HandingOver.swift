import Quantities

/// The steps in which a client counts what its socket takes.
///
/// A path takes bytes as they leave it, packet by packet, but libcurl hands a socket its whole
/// buffer of 16 KB, and a socket says that it has room only when it has a good deal of it. Of the
/// real client behind a buffer of 1.43 MB, two buffers in three went out as one write, the others
/// as 4,800 and 11,584 bytes; without such unevenness, bodies of one size would be counted at the
/// same figures every time.
struct HandingOver {
  private static let buffer = 16_384
  private static let part = 4_800

  private var random: SeededRandom
  private var rest = 0
  /// Bytes that are taken before the next count.
  private(set) var step = HandingOver.buffer

  init(random: SeededRandom) {
    self.random = random
  }

  /// Draws the next step.
  mutating func next() {
    if rest > 0 {
      (step, rest) = (rest, 0)
    } else if random.next() % 3 == 0 {
      (step, rest) = (Self.part, Self.buffer - Self.part)
    } else {
      step = Self.buffer
    }
  }
}
