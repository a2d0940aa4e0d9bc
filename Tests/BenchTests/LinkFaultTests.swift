import Bench
import Quantities
import Reports
import Testing

/// What the built-in client makes of faults on its way, in the virtual world.
struct LinkFaultTests {
  private func world(_ faults: String, horizon: String = "900 s") throws -> SmallWorld {
    try SmallWorld(
      """
      seed: 7
      horizon: \(horizon)
      link:
        up: 100 KB/s
        down: 200 KB/s
        latency: 100 ms
        buffer: 64 KB
        faults: [\(faults)]
      captures:
        - photo: { original: 300 KB, copy: 100 KB }
          at: 0 s
      engine: { turn: { takes: 5 s } }
      variants:
        only: { client: outbox, policy: after }
      """)
  }

  /// All is stored, once, and no byte is unaccounted for.
  private func expectKept(_ record: VariantRecord) {
    #expect(record.outcome == .finished)
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    let instrument = record.instrument
    #expect(instrument.carried == instrument.engineReceived)
    #expect(
      instrument.takenIn == instrument.carried + instrument.discarded + instrument.queued)
  }

  /// Ten places in what the client sends, from its first byte into the original, and ten in what it is
  /// answered.
  @Test(arguments: 0..<20, ["reset", "end", "silence"])
  func `wherever its first connection is cut, a capture is stored once in the end`(
    place: Int, way: String
  ) throws {
    let cut =
      place < 10 ? "{ up: \(1 + place * 44_444) B }" : "{ down: \(1 + (place - 10) * 150) B }"
    let record = try world("{ cut: \(cut), as: \(way), connection: 1 }").run("only")
    expectKept(record)
    #expect(record.files.allSatisfy { $0.attempts <= 2 })
    // A step more than the five, unless there was no request yet behind the first byte.
    #expect(place == 0 || record.requests.count { $0.step != nil } > 5)
  }

  @Test func `what crosses before a cut is exactly what it says`() throws {
    for way in ["reset", "end", "silence"] {
      let cut = "{ cut: { up: 54_321 B }, as: \(way) }"
      let record = try world(cut, horizon: "4 s").run("only")
      // A kept connection that ends without an answer is repeated at once, by libcurl itself.
      let connections = way == "silence" ? 1 : 2
      #expect(record.instrument.carried == connections * 54_321, "\(way)")
      #expect(record.instrument.engineReceived == connections * 54_321)
    }
  }

  @Test func `a hold delays, and the request goes on where it was`() throws {
    let plain = try world("").run("only")
    let held = try world("{ hold: { up: 54_321 B }, for: 100 s }").run("only")
    expectKept(held)
    #expect(held.attempts("copy") == [1] && held.wire.abandoned == 0)
    let late = try #require(held.finishedAt) - #require(plain.finishedAt)
    // The rest leaves only then, a latency later than it would have.
    #expect(abs(late - 100.1) < 0.02)
  }

  @Test func `a client does not hammer a link that refuses it`() throws {
    let record = try world("{ refuse: connections, until: 300 s }").run("only")
    expectKept(record)
    #expect(record.requests.allSatisfy { $0.at >= 300 && $0.at < 361 })
    #expect(record.files.map(\.attempts) == [1, 1])
  }

  @Test func `a silent connection is given up, and its bytes are none of the engine's`() throws {
    let record = try world("{ silent: connections, connection: 1 }").run("only")
    expectKept(record)
    #expect(record.instrument.discarded > 0)
    // 15 s for the record, and the pause of 60 s.
    #expect(record.requests.first?.at ?? 0 > 75)
  }

  @Test func `a connection that closes slowly costs nothing`() throws {
    let record = try world("{ slow-close: 20 s }").run("only")
    expectKept(record)
    #expect(record.files.map(\.attempts) == [1, 1])
  }

  @Test func `after the dark the next request goes over a new connection`() throws {
    let record = try world("{ dark: 2 s }").run("only")
    expectKept(record)
    // The record, the copy, a turn that was lost, and on the new connection the other three steps.
    let steps = ["record", "copy", "turn", "turn", "original", "readback"]
    #expect(record.requests.compactMap(\.step) == steps)
  }
}
