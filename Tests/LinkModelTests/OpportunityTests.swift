import LinkModel
import Quantities
import Testing

/// Directions that carry at instants, and nothing between them.
@Suite struct OpportunityTests {
  static let packet = LinkDirection.packetBytes

  private func milliseconds(_ count: Int) -> Instant { .zero + .milliseconds(count) }

  private func trace(_ text: String, scale: Double = 1, once: Bool = false) throws -> Trace {
    try Trace(parsing: Array(text.utf8), scale: scale, playsOnce: once)
  }

  /// When packets arrive of which `bytes` are offered at an instant.
  private func arrivals(
    of bytes: Int, at start: Int = 0, over conditions: DirectionConditions
  ) -> [LinkDirection.Arrival] {
    var link = LinkDirection(conditions)
    let lane = link.openLane()
    _ = link.advance(to: milliseconds(start))
    link.offer(bytes, on: lane, at: milliseconds(start))
    return link.advance(to: milliseconds(100_000)).arrivals
  }

  @Test func `a line of a trace lets one packet go, and equal lines so many`() throws {
    let link = DirectionConditions(rate: .trace(try trace("5\n5\n7\n20\n")))
    let times = arrivals(of: 9 * Self.packet, over: link).map(\.at)
    #expect(times == [5, 5, 7, 20, 25, 25, 27, 40, 45].map(milliseconds))
  }

  @Test func `a line at 0 is one more at the time of the last`() throws {
    let link = DirectionConditions(rate: .trace(try trace("0\n10\n")))
    let times = arrivals(of: 5 * Self.packet, at: 1, over: link).map(\.at)
    #expect(times == [10, 10, 20, 20, 30].map(milliseconds))
  }

  @Test func `an opportunity that finds nothing is lost, and one at the instant of the offer is`()
    throws
  {
    let link = DirectionConditions(rate: .trace(try trace("5\n7\n20")))
    #expect(
      arrivals(of: 2 * Self.packet, at: 6, over: link).map(\.at) == [7, 20].map(milliseconds))
    #expect(arrivals(of: Self.packet, at: 7, over: link).map(\.at) == [milliseconds(20)])
    #expect(arrivals(of: Self.packet, at: 46, over: link).map(\.at) == [milliseconds(47)])
  }

  @Test func `small packets share an opportunity, and what is left of it is lost`() throws {
    var link = LinkDirection(DirectionConditions(rate: .trace(try trace("10"))))
    let (first, second) = (link.openLane(), link.openLane())
    link.offer(1_000, on: first, at: .zero)
    link.offer(1_000, on: second, at: .zero)
    #expect(link.advance(to: milliseconds(10)).arrivals.map(\.lane) == [first])
    #expect(link.advance(to: milliseconds(20)).arrivals.map(\.lane) == [second])
    link.offer(1_460, on: first, at: milliseconds(20))
    #expect(link.advance(to: milliseconds(29)).arrivals.isEmpty)
    #expect(link.advance(to: milliseconds(30)).arrivals.map(\.lane) == [first])
  }

  @Test func `a scale carries the fractions of a byte`() throws {
    let half = DirectionConditions(rate: .trace(try trace("10", scale: 0.5)))
    #expect(
      arrivals(of: 3 * Self.packet, over: half).map(\.at) == [20, 40, 60].map(milliseconds))
    let third = DirectionConditions(rate: .trace(try trace("10", scale: 0.3)))
    // 438 bytes each: a packet takes 3.33 of them.
    #expect(
      arrivals(of: 3 * Self.packet, over: third).map(\.at) == [40, 70, 100].map(milliseconds))
    let double = DirectionConditions(rate: .trace(try trace("10", scale: 2)))
    #expect(
      arrivals(of: 3 * Self.packet, over: double).map(\.at) == [10, 10, 20].map(milliseconds))
  }

  @Test func `played once, a trace leaves the link offline`() throws {
    var link = LinkDirection(DirectionConditions(rate: .trace(try trace("5\n9", once: true))))
    let (lane, empty) = (link.openLane(), link.openLane())
    link.offer(3 * Self.packet, on: lane, at: .zero)
    #expect(link.advance(to: milliseconds(90)).arrivals.map(\.at) == [5, 9].map(milliseconds))
    link.offerEnd(of: empty, at: milliseconds(90))
    #expect(link.nextEvent == nil)
  }

  @Test func `in an outage opportunities are lost`() throws {
    let link = DirectionConditions(
      rate: .trace(try trace("10")),
      outages: [Outage(at: milliseconds(20), duration: .milliseconds(30))])
    #expect(
      arrivals(of: 3 * Self.packet, over: link).map(\.at) == [10, 50, 60].map(milliseconds))
  }

  @Test func `lumps are nothing for a time, and then what the rate carries in it`() {
    let link = DirectionConditions(rate: .lumps(.kilobytes(20), every: .milliseconds(3_200)))
    var bytes: [Instant: Int] = [:]
    for arrival in arrivals(of: 200_000, over: link) {
      bytes[arrival.at, default: 0] += arrival.bytes
    }
    #expect(bytes.keys.sorted() == [3_200, 6_400, 9_600, 12_800].map(milliseconds))
    // Whole packets: the part of one that a lump served goes with the next.
    #expect(bytes[milliseconds(3_200)] == 43 * Self.packet)
    #expect(bytes[milliseconds(6_400)] == 44 * Self.packet)
  }

  @Test func `other conditions keep what an opportunity served`() throws {
    var link = LinkDirection(DirectionConditions(rate: .trace(try trace("10", scale: 0.5))))
    let lane = link.openLane()
    link.offer(2 * Self.packet, on: lane, at: .zero)
    _ = link.advance(to: milliseconds(15))
    link.change(to: DirectionConditions(rate: .limited(.kilobytes(10))), at: milliseconds(15))
    #expect(
      link.advance(to: milliseconds(1_000)).arrivals.map(\.at) == [88, 234].map(milliseconds))
  }

  @Test(arguments: 0..<6 as Range<UInt64>)
  func `a long trace serves as many bytes as it has opportunities`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (time, lines) = (0, [Int]())
    for _ in 0..<500 {
      time += Int.random(in: 0...9, using: &random)
      lines.append(time)
    }
    let trace = try trace(lines.map { "\($0)\n" }.joined())
    var link = LinkDirection(DirectionConditions(rate: .trace(trace)))
    let lane = link.openLane()
    link.offer(2_000 * Self.packet, on: lane, at: Instant(nanoseconds: -1))
    let expected = (0..<4).flatMap { round in lines.map { milliseconds($0 + round * time) } }
    #expect(link.advance(to: .distantFuture).arrivals.map(\.at) == expected)
  }

  @Test(arguments: [
    ("", "a trace has at least one line, and this one is empty"),
    ("0\n0\n", "every time is 0, so that the trace has no length; the last one is above 0"),
    ("1\n\n2", #"line 2: "" is not a time; write whole milliseconds, one to a line"#),
    ("1\n2.5\n", #"line 2: "2.5" is not a time; write whole milliseconds, one to a line"#),
    ("-1", #"line 1: "-1" is not a time; write whole milliseconds, one to a line"#),
    ("3\n2", "line 2: 2 ms comes after 3 ms; sort the lines by number"),
    ("86400001", "line 1: 86400001 ms is beyond a day (86400000 ms); cut the trace there"),
  ])
  func `what is no trace says where and why`(text: String, reason: String) {
    let error = #expect(throws: TraceError.self) { try trace(text) }
    #expect(error?.description == reason)
  }

  @Test func `a trace has a limit on its lines`() {
    let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: Trace.linesMax + 1)
    #expect(throws: TraceError.tooManyLines(Trace.linesMax + 1)) { try Trace(parsing: bytes) }
  }

  @Test func `lines may end as on Windows`() throws {
    #expect(try trace("1\r\n2\r\n") == trace("1\n2"))
  }
}
