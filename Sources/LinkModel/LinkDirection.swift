package import Quantities

/// One direction of a link, shared by the lanes of all connections: when each packet leaves and
/// arrives.
///
/// It counts bytes; whoever drives it keeps their content.
///
/// A packet leaves when the one before it has left and its own size / rate has passed, and arrives
/// a latency later. Within a busy period the n-th byte leaves at start + n / rate, computed from
/// the start each time, so that a late caller loses nothing and the long-run rate is exact; idle
/// time earns nothing. Lanes take turns by packet.
package struct LinkDirection: Sendable {
  /// Payload bytes of a full packet: an Ethernet frame without its headers.
  package static let packetBytes = 1_460

  /// One direction of one connection.
  package struct LaneID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// Bytes, or the end of a lane's stream, that have come out of the link.
  package struct Arrival: Hashable, Sendable {
    package var lane: LaneID
    package var bytes: Int
    /// Nothing follows on this lane.
    package var isEnd: Bool
    package var at: Instant
    /// Packets of one busy period left the link without a pause between them.
    package var busyPeriod: Int
  }

  /// What happened up to an instant, in order.
  package struct Progress: Hashable, Sendable {
    /// A lane stands once for each of its packets that left.
    package var departures: [LaneID] = []
    package var arrivals: [Arrival] = []
  }

  private struct Lane {
    var queued = 0
    var propagating = 0
    var endsAfterQueue = false
    var isHeld = false
    var isInRing = false
  }

  private struct Packet {
    var lane: LaneID
    var bytes: Int
    var departure: Instant
  }

  package let conditions: DirectionConditions
  private var lanes: [LaneID: Lane] = [:]
  private var lanesOpened = 0
  /// Lanes that have bytes queued and are not in service, in order of their turn.
  private var ring = FIFO<LaneID>()
  private var inService: Packet?
  private var busyStart = Instant.zero
  private var busyBytes = 0
  private var busyPeriod = 0
  private var propagation = FIFO<Arrival>()

  package init(_ conditions: DirectionConditions) {
    self.conditions = conditions
  }

  package mutating func openLane() -> LaneID {
    lanesOpened += 1
    let id = LaneID(number: lanesOpened)
    lanes[id] = Lane()
    return id
  }

  /// Bytes of the lane that wait to leave, the packet in service included.
  package func queued(_ lane: LaneID) -> Int { lanes[lane]?.queued ?? 0 }

  /// Bytes of the lane that have left and have not arrived.
  package func propagating(_ lane: LaneID) -> Int { lanes[lane]?.propagating ?? 0 }

  /// When ``advance(to:)`` has something to do next; nil when nothing is under way.
  package var nextEvent: Instant? {
    switch (inService?.departure, propagation.first?.at) {
    case (let departure?, let arrival?): min(departure, arrival)
    case (let departure?, nil): departure
    case (nil, let arrival): arrival
    }
  }

  /// Queues bytes on a lane.
  ///
  /// Advance to `now` first.
  package mutating func offer(_ bytes: Int, on lane: LaneID, at now: Instant) {
    guard bytes > 0, lanes[lane] != nil else { return }
    lanes[lane]?.queued += bytes
    join(lane)
    startService(at: now)
  }

  /// Lets the end of the stream follow the bytes that are queued.
  ///
  /// Advance to `now` first.
  package mutating func offerEnd(of lane: LaneID, at now: Instant) {
    guard let state = lanes[lane] else { return }
    if state.queued > 0 || conditions.rate == .offline {
      lanes[lane]?.endsAfterQueue = true
    } else {
      propagate(0, on: lane, isEnd: true, from: now)
    }
  }

  /// Holds a lane back, as a receiver without room does, or lets it go on.
  ///
  /// Advance to `now` first.
  package mutating func setHeld(_ isHeld: Bool, lane: LaneID, at now: Instant) {
    guard lanes[lane] != nil else { return }
    lanes[lane]?.isHeld = isHeld
    if isHeld {
      lanes[lane]?.isInRing = false
      ring.removeAll { $0 == lane }
    } else {
      join(lane)
      startService(at: now)
    }
  }

  /// Drops what has not arrived of a lane, and the lane; returns the bytes dropped.
  package mutating func discard(_ lane: LaneID, at now: Instant) -> Int {
    guard let state = lanes.removeValue(forKey: lane) else { return 0 }
    propagation.removeAll { $0.lane == lane }
    ring.removeAll { $0 == lane }
    if inService?.lane == lane {
      // Its time on the link is spent; the next packet starts now.
      inService = nil
      startService(at: now)
    }
    return state.queued + state.propagating
  }

  /// Everything that happens up to and including `now`.
  package mutating func advance(to now: Instant) -> Progress {
    var progress = Progress()
    while let packet = inService, packet.departure <= now {
      depart(packet)
      progress.departures.append(packet.lane)
    }
    while let arrival = propagation.first, arrival.at <= now {
      _ = propagation.popFirst()
      lanes[arrival.lane]?.propagating -= arrival.bytes
      progress.arrivals.append(arrival)
    }
    return progress
  }

  private mutating func depart(_ packet: Packet) {
    inService = nil
    lanes[packet.lane]?.queued -= packet.bytes
    let isLast = lanes[packet.lane]?.queued == 0
    let isEnd = isLast && lanes[packet.lane]?.endsAfterQueue == true
    propagate(packet.bytes, on: packet.lane, isEnd: isEnd, from: packet.departure)
    join(packet.lane)
    continueService(at: packet.departure)
  }

  private mutating func propagate(_ bytes: Int, on lane: LaneID, isEnd: Bool, from start: Instant) {
    lanes[lane]?.propagating += bytes
    propagation.append(
      Arrival(
        lane: lane, bytes: bytes, isEnd: isEnd, at: start + conditions.latency,
        busyPeriod: busyPeriod))
  }

  /// Gives a lane that has bytes to send a turn behind the others.
  private mutating func join(_ lane: LaneID) {
    guard let state = lanes[lane], state.queued > 0, !state.isHeld, !state.isInRing,
      inService?.lane != lane
    else { return }
    lanes[lane]?.isInRing = true
    ring.append(lane)
  }

  /// Begins a busy period, unless one is under way.
  private mutating func startService(at now: Instant) {
    guard inService == nil, !ring.isEmpty, conditions.rate != .offline else { return }
    busyStart = now
    busyBytes = 0
    busyPeriod += 1
    continueService(at: now)
  }

  private mutating func continueService(at now: Instant) {
    guard let lane = ring.popFirst(), let queued = lanes[lane]?.queued else { return }
    lanes[lane]?.isInRing = false
    switch conditions.rate {
    case .limited(let rate):
      let bytes = min(Self.packetBytes, queued)
      busyBytes += bytes
      inService = Packet(
        lane: lane, bytes: bytes, departure: busyStart + rate.time(for: ByteCount(busyBytes)))
    case .unlimited:
      inService = Packet(lane: lane, bytes: queued, departure: now)
    case .offline:
      preconditionFailure("nothing is served while offline")
    }
  }
}
