package import Bench

/// What is still to be shown of a run: the end of each variant, in order, and the newest progress.
///
/// Between two drawings only the newest counts, but none of the ends is lost.
package struct ProgressQueue {
  /// Ends that wait; more than a run of one scenario has variants.
  package static let endsMax = 100

  private var ends: [RunProgress] = []
  private var newest: RunProgress?

  package init() {}

  package mutating func add(_ progress: RunProgress) {
    if progress.isOver {
      newest = nil
      // Said twice, it is one end.
      if ends.last?.variant == progress.variant { ends.removeLast() }
      if ends.count < Self.endsMax { ends.append(progress) }
    } else {
      newest = progress
    }
  }

  /// Takes out all that is to be drawn now.
  package mutating func takeAll() -> [RunProgress] {
    defer { (ends, newest) = ([], nil) }
    return ends + (newest.map { [$0] } ?? [])
  }
}
