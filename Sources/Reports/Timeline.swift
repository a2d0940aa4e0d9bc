/// What had been handed over, carried and claimed at one link time.
package struct TimelinePoint: Hashable, Sendable {
  package var at: Double
  /// Bytes that the client's socket had taken, over all connections.
  package var handedOver: Int
  package var carried: Int
  /// File bytes that the newest status line claimed; nil when it claimed none.
  package var claimed: Int?

  package init(at: Double, handedOver: Int, carried: Int, claimed: Int? = nil) {
    self.at = toMilliseconds(at)
    self.handedOver = handedOver
    self.carried = carried
    self.claimed = claimed
  }
}

/// The points of one variant over time, in order.
package struct Timeline: Hashable, Sendable {
  /// The most points that a record keeps: finer than a screen, and small enough for a file.
  package static let pointLimit = 2_000

  package var points: [TimelinePoint]

  package init(_ points: [TimelinePoint] = []) {
    self.points = points
  }

  /// At most `limit` of the points, in order, with the extremes kept.
  ///
  /// The first and the last point stay, and of each stretch between them the points where the bytes
  /// handed over but not carried, and the bytes claimed, were least and most. A limit below six
  /// keeps six.
  package func thinned(to limit: Int = Timeline.pointLimit) -> Timeline {
    let most = max(limit, 6)
    guard points.count > most else { return self }
    let stretches = (most - 2) / 4
    let inner = 1..<(points.count - 1)
    var kept = [0]
    for stretch in 0..<stretches {
      let start = inner.lowerBound + inner.count * stretch / stretches
      let end = inner.lowerBound + inner.count * (stretch + 1) / stretches
      kept += extremes(in: start..<end)
    }
    kept.append(points.count - 1)
    return Timeline(kept.map { points[$0] })
  }

  /// Indices of up to four extremes of a stretch, ascending and without repeats.
  private func extremes(in range: Range<Int>) -> [Int] {
    func ahead(_ index: Int) -> Int { points[index].handedOver - points[index].carried }
    func claimed(_ index: Int) -> Int { points[index].claimed ?? 0 }
    var found: [Int] = []
    for value in [ahead, claimed] {
      for index in [
        range.min { value($0) < value($1) }, range.max { value($0) < value($1) },
      ] {
        if let index, !found.contains(index) { found.append(index) }
      }
    }
    return found.sorted()
  }
}
