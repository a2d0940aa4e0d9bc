package import Quantities

/// Bytes in all at given times, in order; between two of them they are taken to come evenly.
package struct ByteCourse: Hashable, Sendable {
  package struct Point: Hashable, Sendable {
    package var at: Instant
    package var bytes: Int

    package init(at: Instant, bytes: Int) {
      self.at = at
      self.bytes = bytes
    }
  }

  package private(set) var points: [Point]

  package init(_ points: [Point] = []) {
    self.points = points
  }

  /// Nothing before the first point, and no more than at the last behind it.
  func bytes(at instant: Instant) -> Double {
    // By halving: a course has thousands of points, and every line asks.
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].at <= instant { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let before = points[low - 1]
    guard low < points.count else { return Double(before.bytes) }
    let next = points[low]
    let share = (instant - before.at).inSeconds / (next.at - before.at).inSeconds
    return Double(before.bytes) + Double(next.bytes - before.bytes) * share
  }

  /// Bytes per second between two instants.
  func rate(from start: Instant, to end: Instant) -> Double {
    (bytes(at: end) - bytes(at: start)) / (end - start).inSeconds
  }
}
