package import Quantities

extension LinkDirection {
  /// A packet that has left the link on its way to the far end.
  package struct Departure: Hashable, Sendable {
    package var lane: LaneID
    package var bytes: Int
    /// Packets of one busy period leave one after the other, without a time between them in which
    /// nothing waits.
    package var busyPeriod: Int
  }

  /// Bytes, or the end of a lane's stream, that have come out of the link.
  package struct Arrival: Hashable, Sendable {
    package var lane: LaneID
    package var bytes: Int
    /// Nothing follows on this lane.
    package var isEnd: Bool
    package var at: Instant
  }

  /// What happened up to an instant, in order.
  package struct Progress: Hashable, Sendable {
    package var departures: [Departure] = []
    package var arrivals: [Arrival] = []

    package init() {}

    package var isEmpty: Bool { departures.isEmpty && arrivals.isEmpty }

    /// Keeps the memory for what comes next.
    package mutating func removeAll() {
      departures.removeAll(keepingCapacity: true)
      arrivals.removeAll(keepingCapacity: true)
    }
  }
}
