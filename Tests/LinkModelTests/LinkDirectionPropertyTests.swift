import LinkModel
import Quantities
import Testing

/// What holds whatever is offered, held back and discarded, at any instant.
@Suite struct LinkDirectionPropertyTests {
  /// A link under random use, with a count of all that goes in and comes out.
  private struct Use {
    var link: LinkDirection
    var random: SeededRandom
    var lanes: [LinkDirection.LaneID] = []
    var now = Instant.zero
    var offered: [LinkDirection.LaneID: Int] = [:]
    var arrived: [LinkDirection.LaneID: Int] = [:]
    var discarded: [LinkDirection.LaneID: Int] = [:]
    var ended: Set<LinkDirection.LaneID> = []
    var endsArrived: [LinkDirection.LaneID: Int] = [:]
    var all: [LinkDirection.Arrival] = []
    var mayLose = true

    init(_ conditions: DirectionConditions, seed: UInt64) {
      link = LinkDirection(conditions)
      random = SeededRandom(seed: seed)
      for _ in 0..<4 { lanes.append(link.openLane()) }
    }

    mutating func advance(to instant: Instant) {
      now = instant
      for arrival in link.advance(to: instant).arrivals {
        arrived[arrival.lane, default: 0] += arrival.bytes
        if arrival.isEnd { endsArrived[arrival.lane, default: 0] += 1 }
        all.append(arrival)
      }
    }

    mutating func step() {
      advance(to: now + .microseconds(Int.random(in: 0...200_000, using: &random)))
      let index = Int.random(in: 0..<lanes.count, using: &random)
      let lane = lanes[index]
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<12 where !ended.contains(lane):
        let bytes = Int.random(in: 1...6_000, using: &random)
        link.offer(bytes, on: lane, at: now)
        offered[lane, default: 0] += bytes
      case 12..<15: link.setHeld(Bool.random(using: &random), lane: lane, at: now)
      case 15 where !ended.contains(lane):
        link.offerEnd(of: lane, at: now)
        ended.insert(lane)
      case 16 where mayLose:
        discarded[lane, default: 0] += link.discard(lane, at: now)
        lanes[index] = link.openLane()
      default: break
      }
    }

    /// Lets every lane go, and everything arrive.
    mutating func finish() {
      for lane in lanes { link.setHeld(false, lane: lane, at: now) }
      while let next = link.nextEvent { advance(to: next) }
    }
  }

  static let rates = [61_399, 20_000, 7_000.5, 0.7 * 1_460] as [Double]

  @Test(arguments: rates, 0..<8 as Range<UInt64>)
  func `offered is arrived, discarded, queued and propagating, lane by lane`(
    rate: Double, seed: UInt64
  ) {
    var use = Use(
      DirectionConditions(
        rate: .limited(DataRate(bytesPerSecond: rate)), latency: .milliseconds(150)),
      seed: seed)
    for _ in 0..<600 {
      use.step()
      for (lane, offered) in use.offered {
        let accounted =
          use.arrived[lane, default: 0] + use.discarded[lane, default: 0] + use.link.queued(lane)
          + use.link.propagating(lane)
        #expect(offered == accounted)
      }
    }
    use.finish()
    for lane in use.lanes {
      #expect(use.arrived[lane, default: 0] == use.offered[lane, default: 0])
      #expect(use.endsArrived[lane, default: 0] == (use.ended.contains(lane) ? 1 : 0))
    }
  }

  @Test(arguments: rates, 0..<8 as Range<UInt64>)
  func `carried is never ahead of the rate by more than a packet, from any instant on`(
    rate: Double, seed: UInt64
  ) {
    let latency = Duration.milliseconds(150)
    var use = Use(
      DirectionConditions(rate: .limited(DataRate(bytesPerSecond: rate)), latency: latency),
      seed: seed)
    for _ in 0..<400 { use.step() }
    use.finish()
    let departures = use.all.filter { $0.bytes > 0 }
    #expect(departures.count > 25)
    for start in departures.indices {
      var carried = 0
      for index in start..<departures.count {
        carried += departures[index].bytes
        // From just before the departure at `start`: all but that packet took its time.
        let time = (departures[index].at - departures[start].at).inSeconds
        let allowed = rate * time + Double(LinkDirection.packetBytes)
        // Two roundings to a nanosecond.
        guard Double(carried) <= allowed + 2 * rate * 1e-9 + 1e-6 else {
          Issue.record("\(carried) bytes where \(allowed) were allowed")
          return
        }
      }
    }
    #expect(zip(use.all, use.all.dropFirst()).allSatisfy { $0.at <= $1.at })
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `an end comes behind all bytes of its lane`(seed: UInt64) {
    var use = Use(
      DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(150)), seed: seed)
    use.mayLose = false
    for _ in 0..<400 { use.step() }
    use.finish()
    for lane in use.lanes {
      let own = use.all.filter { $0.lane == lane }
      #expect(own.dropLast().allSatisfy { !$0.isEnd })
      #expect(own.reduce(0) { $0 + $1.bytes } == use.offered[lane, default: 0])
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `lanes that all have bytes differ by one packet at most`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var link = LinkDirection(DirectionConditions(rate: .limited(.kilobytes(20))))
    let lanes = (0..<5).map { _ in link.openLane() }
    for lane in lanes.shuffled(using: &random) {
      link.offer(200 * LinkDirection.packetBytes, on: lane, at: .zero)
    }
    var counts: [LinkDirection.LaneID: Int] = [:]
    while let next = link.nextEvent, counts.values.allSatisfy({ $0 < 200 }) {
      for departure in link.advance(to: next).departures {
        counts[departure.lane, default: 0] += 1
      }
      let each = lanes.map { counts[$0, default: 0] }
      #expect((each.max() ?? 0) - (each.min() ?? 0) <= 1)
    }
    #expect(counts.count == 5)
  }
}
