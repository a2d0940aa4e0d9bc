/// Bytes as they come, held against the straight line of a rate.
struct LineWatch {
  let rate: Double
  /// When the client began to send.
  let start: Double
  private(set) var total = 0
  private var first: (at: Double, bytes: Int)?
  private var last = 0.0
  private var highest = -Double.infinity
  private var lowest = Double.infinity

  /// The longest time in which nothing came, in seconds.
  private(set) var longestSilence = 0.0
  /// Bytes beyond rate x time since the start, at most.
  private(set) var furthestAhead = -Double.infinity

  init(rate: Double, start: Double) {
    self.rate = rate
    self.start = start
  }

  mutating func add(_ count: Int, at now: Double) {
    guard let first else {
      first = (now, count)
      total = count
      last = now
      furthestAhead = Double(count) - rate * (now - start)
      return
    }
    longestSilence = max(longestSilence, now - last)
    last = now
    let line = rate * (now - first.at)
    lowest = min(lowest, Double(total - first.bytes) - line)
    total += count
    highest = max(highest, Double(total - first.bytes) - line)
    furthestAhead = max(furthestAhead, Double(total) - rate * (now - start))
  }

  /// The rate from the first departure to the last, as a share beyond what was asked; nil when too
  /// little came.
  var error: Double? {
    guard let first, last > first.at else { return nil }
    return Double(total - first.bytes) / (last - first.at) / rate - 1
  }

  /// From the furthest behind the line to the furthest ahead of it, in seconds of the rate.
  var wander: Double { max(0, highest - lowest) / rate }
}
