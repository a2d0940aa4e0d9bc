package import Quantities

/// One direction of a link, shared by the lanes of all connections: when each packet leaves and
/// arrives.
///
/// It counts bytes; whoever drives it keeps their content.
///
/// A packet leaves when the one before it has left and the link has served its own bytes, and
/// arrives a latency later. Within a busy period each departure is computed from the start of the
/// period, so that a late caller loses nothing and the long-run rate is exact; idle time earns
/// nothing. Lanes take turns by packet. Nothing overtakes on a lane.
package struct LinkDirection: Sendable {
  /// Payload bytes of a full packet: an Ethernet frame without its headers.
  package static let packetBytes = 1_460

  private struct Lane {
    /// Of the lane that has the slot, or, while none has, of the next one.
    var generation: UInt32 = 0
    var queued = 0
    var propagating = 0
    var endsAfterQueue = false
    var isHeld = false
    /// Bytes that may yet leave; those in service have.
    var allowance = Int.max
    /// What is sent later arrives no sooner.
    var lastArrival = Instant(nanoseconds: .min)
  }

  private struct Packet {
    var slot: Int
    var bytes: Int
    /// Nil when it never leaves under these conditions.
    var departure: Instant?
    var point: ServicePoint
  }

  package private(set) var conditions: DirectionConditions
  package private(set) var schedule: ServiceSchedule
  private var latency: Int64
  private var jitter: Int64
  private var jitterRandom: SeededRandom
  private var lossRandom: SeededRandom

  private var lanes: [Lane] = []
  private var freeSlots: [Int] = []
  /// Turns of lanes that have bytes queued and are not in service.
  private var ring = TurnRing()

  private var inService: Packet?
  private var busyPeriod = 0
  /// Bytes of the busy period that have left, the packet in service included.
  private var busyBytes = 0
  /// When the latest packet left.
  package private(set) var lastDeparture = Instant.zero
  /// No later than the latest departure.
  private var point = ServicePoint(at: .zero, work: 0, place: 0)

  /// Lanes with nothing but an end to send, which waits until the link is not offline.
  private(set) var lateEnds: [LaneID] = []
  /// When they leave; nil when they never do, or there are none.
  private var lateEndsLeave: Instant?
  private var propagation = ArrivalQueue()

  /// Jitter and loss are drawn from `random`, each from a stream of its own.
  package init(
    _ conditions: DirectionConditions, random: SeededRandom = SeededRandom(seed: 0)
  ) {
    self.conditions = conditions
    schedule = conditions.schedule
    latency = conditions.latency.nanoseconds
    jitter = conditions.jitter.nanoseconds
    jitterRandom = random.fork("jitter")
    lossRandom = random.fork("loss")
  }

  // MARK: Lanes

  package mutating func openLane() -> LaneID {
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = lanes.count
      lanes.append(Lane())
    }
    return LaneID(slot: Int32(slot), generation: lanes[slot].generation)
  }

  private func slot(_ lane: LaneID) -> Int? {
    let slot = Int(lane.slot)
    return slot < lanes.count && lanes[slot].generation == lane.generation ? slot : nil
  }

  private func id(_ slot: Int) -> LaneID {
    LaneID(slot: Int32(slot), generation: lanes[slot].generation)
  }

  /// Bytes of the lane that wait to leave, the packet in service included.
  package func queued(_ lane: LaneID) -> Int { slot(lane).map { lanes[$0].queued } ?? 0 }

  /// Bytes of the lane that have left and have not arrived.
  package func propagating(_ lane: LaneID) -> Int { slot(lane).map { lanes[$0].propagating } ?? 0 }

  /// Queues bytes on a lane.
  ///
  /// Advance to `now` first.
  package mutating func offer(_ bytes: Int, on lane: LaneID, at now: Instant) {
    guard bytes > 0, let slot = slot(lane) else { return }
    lanes[slot].queued += bytes
    join(slot)
    startService(at: now)
  }

  /// Lets the end of the stream follow the bytes that are queued; with none it takes no turn.
  ///
  /// Advance to `now` first.
  package mutating func offerEnd(of lane: LaneID, at now: Instant) {
    guard let slot = slot(lane) else { return }
    if lanes[slot].queued > 0 {
      lanes[slot].endsAfterQueue = true
    } else if schedule.online(from: now) == now {
      propagate(0, on: slot, isEnd: true, from: now)
    } else {
      // Of the lanes that are there each has one end; those of others are dropped in time.
      if lateEnds.count > 2 * lanes.count {
        lateEnds = lateEnds.filter { self.slot($0) != nil }
      }
      lateEnds.append(lane)
      lateEndsLeave = schedule.online(from: now)
    }
  }

  /// Holds a lane back, as a receiver without room does, or lets it go on.
  ///
  /// Advance to `now` first.
  package mutating func setHeld(_ isHeld: Bool, lane: LaneID, at now: Instant) {
    guard let slot = slot(lane) else { return }
    lanes[slot].isHeld = isHeld
    if isHeld {
      ring.leave(slot)
    } else {
      join(slot)
      startService(at: now)
    }
  }

  /// Lets so many more bytes of a lane leave, and no others for now; nil is any number.
  ///
  /// A lane that may send nothing takes no turn. A packet that is in service leaves in any case.
  /// Advance to `now` first.
  package mutating func allow(_ bytes: Int?, on lane: LaneID, at now: Instant) {
    guard let slot = slot(lane) else { return }
    lanes[slot].allowance = bytes ?? .max
    if bytes == 0 {
      ring.leave(slot)
    } else {
      join(slot)
      startService(at: now)
    }
  }

  /// Drops what has not arrived of a lane, and the lane; returns the bytes dropped.
  package mutating func discard(_ lane: LaneID, at now: Instant) -> Int {
    guard let slot = slot(lane) else { return 0 }
    let dropped = lanes[slot].queued + lanes[slot].propagating
    ring.leave(slot)
    lanes[slot] = Lane(generation: lane.generation &+ 1)
    freeSlots.append(slot)
    dropStaleArrivals()
    if inService?.slot == slot {
      // Its time on the link is spent; the next packet starts now.
      inService = nil
      startService(at: now)
    }
    return dropped
  }

  // MARK: Time

  /// When ``advance(to:)`` has something to do next; nil when nothing is under way.
  package var nextEvent: Instant? {
    Self.earlier(Self.earlier(inService?.departure, lateEndsLeave), propagation.first?.at)
  }

  private static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    if let one, let other { min(one, other) } else { one ?? other }
  }

  /// Everything that happens up to and including `now`.
  package mutating func advance(to now: Instant) -> Progress {
    var progress = Progress()
    advance(to: now, into: &progress)
    return progress
  }

  /// Appends everything that happens up to and including `now`.
  package mutating func advance(to now: Instant, into progress: inout Progress) {
    if let leave = lateEndsLeave, leave <= now { sendLateEnds(at: leave) }
    while let packet = inService, let departure = packet.departure, departure <= now {
      progress.departures.append(
        Departure(lane: id(packet.slot), bytes: packet.bytes, busyPeriod: busyPeriod))
      depart(packet, at: departure)
    }
    while let arrival = propagation.first, arrival.at <= now {
      propagation.removeFirst()
      lanes[Int(arrival.lane.slot)].propagating -= arrival.bytes
      progress.arrivals.append(arrival)
      dropStaleArrivals()
    }
  }

  /// Puts other conditions in force.
  ///
  /// What has been served of the packet in service stays served, and the rest goes on under the new
  /// conditions; what has left arrives as it would have. The same conditions change nothing.
  ///
  /// Advance to `now` first.
  package mutating func change(to new: DirectionConditions, at now: Instant) {
    guard new != conditions else { return }
    conditions = new
    latency = new.latency.nanoseconds
    jitter = new.jitter.nanoseconds
    if inService != nil { schedule.move(&point, to: now) }
    schedule = new.schedule
    point = schedule.resume(point)
    // No rate was asked for across the change.
    busyPeriod += 1
    if let packet = inService { serve(packet.bytes, of: packet.slot) }
    if !lateEnds.isEmpty { lateEndsLeave = schedule.online(from: now) }
  }

  // MARK: Service

  /// Gives a lane that has bytes to send a turn behind the others.
  private mutating func join(_ slot: Int) {
    guard lanes[slot].queued > 0, !lanes[slot].isHeld, lanes[slot].allowance > 0,
      inService?.slot != slot
    else { return }
    ring.join(slot)
  }

  /// Begins a busy period, unless one is under way.
  private mutating func startService(at now: Instant) {
    guard inService == nil, !ring.isEmpty else { return }
    point = schedule.begin(at: now)
    busyBytes = 0
    busyPeriod += 1
    continueService()
  }

  private mutating func continueService() {
    guard let slot = ring.next() else { return }
    let queued = lanes[slot].queued
    // Each packet is lost, or not, by itself.
    let isWhole = schedule.isUnlimited(at: point) && conditions.loss?.ratio ?? 0 == 0
    let bytes = min(isWhole ? queued : min(Self.packetBytes, queued), lanes[slot].allowance)
    if lanes[slot].allowance < .max { lanes[slot].allowance -= bytes }
    busyBytes += bytes
    serve(bytes, of: slot)
  }

  private mutating func serve(_ bytes: Int, of slot: Int) {
    var ahead = point
    let departure = schedule.departure(ofByte: busyBytes, after: &ahead)
    inService = Packet(slot: slot, bytes: bytes, departure: departure, point: ahead)
  }

  private mutating func depart(_ packet: Packet, at departure: Instant) {
    inService = nil
    lastDeparture = departure
    point = packet.point
    lanes[packet.slot].queued -= packet.bytes
    let isEnd = lanes[packet.slot].queued == 0 && lanes[packet.slot].endsAfterQueue
    propagate(packet.bytes, on: packet.slot, isEnd: isEnd, from: departure)
    join(packet.slot)
    continueService()
  }

  // MARK: Propagation

  private mutating func sendLateEnds(at instant: Instant) {
    for lane in lateEnds {
      if let slot = slot(lane) { propagate(0, on: slot, isEnd: true, from: instant) }
    }
    lateEnds.removeAll()
    lateEndsLeave = nil
  }

  private mutating func propagate(_ bytes: Int, on slot: Int, isEnd: Bool, from start: Instant) {
    let arrival = max(arrival(from: start), lanes[slot].lastArrival)
    lanes[slot].lastArrival = arrival
    lanes[slot].propagating += bytes
    propagation.insert(Arrival(lane: id(slot), bytes: bytes, isEnd: isEnd, at: arrival))
  }

  private mutating func arrival(from start: Instant) -> Instant {
    var delay = latency
    if jitter > 0 {
      delay = max(0, delay + Int64.random(in: -jitter...jitter, using: &jitterRandom))
    }
    if let loss = conditions.loss { delay += loss.delay(using: &lossRandom).nanoseconds }
    return Instant(nanoseconds: start.nanoseconds.adding(saturating: delay))
  }

  /// What comes next is of a lane that is open.
  private mutating func dropStaleArrivals() {
    while let arrival = propagation.first, slot(arrival.lane) == nil { propagation.removeFirst() }
  }
}
