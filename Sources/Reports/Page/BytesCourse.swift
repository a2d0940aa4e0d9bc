/// The bytes of a variant over time, as its page draws them.
///
/// Each file that is sent begins at zero, so that what was handed over, what had been carried and
/// what the user was told of that file stand on one scale. Where files are sent at the same time
/// there is no such zero, and the bytes are those of the whole run.
struct BytesCourse {
  struct Point: Hashable {
    var at: Double
    var handedOver: Int
    var carried: Int
    /// Nil where no line claimed a number.
    var claimed: Int?
  }

  /// A health check between two attempts is no more, in bytes; a body's first bytes fill a buffer.
  private static let smallCallMax = 500

  /// Whether each attempt begins at zero, and is a piece of its own.
  let isPerAttempt: Bool
  /// In order of time.
  private(set) var pieces: [[Point]]

  init(_ variant: VariantRecord) {
    let requests = variant.requests.filter { !HealthChecks.isOne($0) }.sorted { $0.at < $1.at }
    let steps = Set(variant.files.map(\.step))
    isPerAttempt = zip(requests, requests.dropFirst()).allSatisfy { $0.at + $0.seconds <= $1.at }
    guard isPerAttempt else {
      pieces = [
        variant.timeline.map {
          Point(at: $0.at, handedOver: $0.handedOver, carried: $0.carried, claimed: $0.claimed)
        }
      ]
      return
    }
    var pieces: [[Point]] = []
    let timeline = variant.timeline
    /// The place of the first point that no request has had yet; the one before it is the zero.
    var place = min(1, timeline.count)
    for request in requests {
      let end = request.at + request.seconds
      let isFile = request.step.map(steps.contains) ?? false
      // The engine sees a request after its first bytes were handed over: it began before that.
      while isFile, place + 1 < timeline.count, timeline[place].at < request.at,
        timeline[place].handedOver - timeline[place - 1].handedOver <= Self.smallCallMax
      {
        place += 1
      }
      let start = place
      while place < timeline.count, timeline[place].at <= end { place += 1 }
      guard isFile, start > 0 else { continue }
      let zero = timeline[start - 1]
      pieces.append(
        [Point(at: zero.at, handedOver: 0, carried: 0)]
          + timeline[start..<place].map { point in
            Point(
              at: point.at, handedOver: point.handedOver - zero.handedOver,
              carried: point.carried - zero.carried, claimed: point.claimed)
          })
    }
    self.pieces = pieces
  }

  var most: Int { pieces.map(Self.most).max() ?? 0 }

  private static func most(_ points: [Point]) -> Int {
    points.lazy.map { max($0.handedOver, $0.carried, $0.claimed ?? 0) }.max() ?? 0
  }

  /// The same to the eye: in each of `count` equal stretches until `end`, every curve keeps its first
  /// and its last point, and where it was least and most.
  ///
  /// A picture of so many columns is the same, as in Jugel et al., "M4: a visualization-oriented
  /// time series data aggregation", 2014. Of attempts that each begin and end within one stretch the
  /// tallest is kept.
  func thinned(until end: Double, stretches count: Int) -> BytesCourse {
    guard end > 0 else { return self }
    func stretch(_ point: Point) -> Int { Int(point.at / end * Double(count)) }
    var course = self
    course.pieces = []
    /// The stretch in which the last piece begins and ends.
    var inside: Int?
    for piece in pieces {
      guard let first = piece.first, let last = piece.last else { continue }
      let within = stretch(first) == stretch(last) ? stretch(first) : nil
      let thin = Self.thinned(piece, by: stretch)
      if within != nil, within == inside, let before = course.pieces.last {
        if Self.most(thin) > Self.most(before) { course.pieces[course.pieces.count - 1] = thin }
      } else {
        course.pieces.append(thin)
      }
      inside = within
    }
    return course
  }

  static func thinned(_ points: [Point], by stretch: (Point) -> Int) -> [Point] {
    var kept: [Point] = []
    var start = 0
    while start < points.count {
      let number = stretch(points[start])
      var end = start + 1
      while end < points.count, stretch(points[end]) == number { end += 1 }
      let places = start..<end
      var found = [start, end - 1]
      for value: (Int) -> Int? in [
        { points[$0].handedOver }, { points[$0].carried }, { points[$0].claimed },
      ] {
        let told = places.lazy.filter { value($0) != nil }
        func isLess(_ one: Int, _ other: Int) -> Bool { value(one) ?? 0 < value(other) ?? 0 }
        found += [told.min(by: isLess), told.max(by: isLess)].compactMap { $0 }
      }
      found.sort()
      kept += zip(found, [-1] + found).filter { $0 != $1 }.map { points[$0.0] }
      start = end
    }
    return kept
  }

  /// Bytes per second that crossed in each of `count` equal stretches until `end`.
  static func carriedRates(_ timeline: [TimelinePoint], until end: Double, count: Int) -> [Double] {
    guard end > 0, !timeline.isEmpty else { return [] }
    let width = end / Double(count)
    var place = 0
    /// Between two points the bytes are taken to have crossed evenly.
    func carried(at time: Double) -> Double {
      while place + 1 < timeline.count, timeline[place + 1].at <= time { place += 1 }
      let point = timeline[place]
      guard point.at <= time else { return 0 }
      guard place + 1 < timeline.count else { return Double(point.carried) }
      let next = timeline[place + 1]
      guard next.at > point.at else { return Double(next.carried) }
      let share = (time - point.at) / (next.at - point.at)
      return Double(point.carried) + Double(next.carried - point.carried) * share
    }
    var before = carried(at: 0)
    return (1...count).map { stretch in
      let now = carried(at: width * Double(stretch))
      defer { before = now }
      return (now - before) / width
    }
  }
}
