package import Quantities

/// One direction of a link at work: says what its lanes are to be told of their bytes, and when.
///
/// Whoever drives it changes it, and then tells the lanes what ``next(at:)`` says until that is
/// nothing. A lane that is told something may offer bytes at once, so that more comes up meanwhile;
/// all of it is told in the order in which it happened.
package struct LinkTeller {
  package enum Notice: Hashable, Sendable {
    /// Bytes, or the end of the stream, have come out of the link.
    ///
    /// Packets of one lane in a row are one to it: they can be handed on in one write.
    case arrived(LinkDirection.LaneID, bytes: Int, isEnd: Bool)
    /// Packets have left: there may be room.
    ///
    /// Once for all that left: between them a sender has had no time to send more.
    case departed(LinkDirection.LaneID)
  }

  package private(set) var model: LinkDirection
  /// Of the times at which it is told.
  package private(set) var rateMeter = RateMeter()
  /// What has happened since the round that is being told began.
  private var untold = LinkDirection.Progress()
  /// What is being told; empty, and kept for its memory, when nothing is.
  private var telling = LinkDirection.Progress()
  private var arrivalsTold = 0
  private var departuresTold = 0
  private var rounds = 0
  /// The round in which a lane was last told that packets of it left.
  private var roundTold = LaneMap<Int>()

  package init(_ conditions: DirectionConditions, random: SeededRandom) {
    model = LinkDirection(conditions, random: random)
  }

  package mutating func openLane() -> LinkDirection.LaneID { model.openLane() }

  /// Changes the model at an instant; what follows from it at once is to be told, too.
  package mutating func change(
    at now: Instant, _ body: (inout LinkDirection, Instant) -> Void
  ) {
    model.advance(to: now, into: &untold)
    body(&model, now)
    model.advance(to: now, into: &untold)
  }

  /// What is to be told next; nil when there is nothing.
  package mutating func next(at now: Instant) -> Notice? {
    while true {
      if let notice = nextArrival() ?? nextDeparture() { return notice }
      telling.removeAll()
      (arrivalsTold, departuresTold) = (0, 0)
      guard !untold.isEmpty else { return nil }
      swap(&untold, &telling)
      rounds += 1
      for departure in telling.departures {
        rateMeter.add(
          departure.bytes, busyPeriod: departure.busyPeriod, on: model.schedule, at: now)
      }
    }
  }

  private mutating func nextArrival() -> Notice? {
    guard arrivalsTold < telling.arrivals.count else { return nil }
    var arrival = telling.arrivals[arrivalsTold]
    arrivalsTold += 1
    while arrivalsTold < telling.arrivals.count, telling.arrivals[arrivalsTold].lane == arrival.lane
    {
      arrival.bytes += telling.arrivals[arrivalsTold].bytes
      arrival.isEnd = telling.arrivals[arrivalsTold].isEnd
      arrivalsTold += 1
    }
    return .arrived(arrival.lane, bytes: arrival.bytes, isEnd: arrival.isEnd)
  }

  private mutating func nextDeparture() -> Notice? {
    while departuresTold < telling.departures.count {
      let lane = telling.departures[departuresTold].lane
      departuresTold += 1
      guard roundTold[lane] != rounds else { continue }
      roundTold[lane] = rounds
      return .departed(lane)
    }
    return nil
  }
}
