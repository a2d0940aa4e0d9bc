import Bench
import Quantities
import Reports
import Scenarios
import Testing

/// What a kill leaves behind, and what a start makes of it.
struct KillTests {
  private func world(_ acts: String) throws -> SmallWorld {
    try SmallWorld(
      """
      seed: 7
      horizon: 120 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      captures:
        - photo: { original: 300 KB, copy: 100 KB }
          at: 0 s
      engine: { turn: { takes: 5 s } }
      acts: [\(acts)]
      variants:
        after: { client: outbox, policy: after }
      """)
  }

  @Test func `a killed client does nothing more, and its kernel delivers what it took`() throws {
    let record = try world("{ at: 2 s, do: kill }").run("after")
    #expect(record.outcome == .horizon)
    #expect(record.requests.map(\.step) == ["record", "copy"])
    #expect(record.files.allSatisfy { !$0.landed })
    // 2 s less two calls' time at 20 KB/s had left, and 64 KB more had been taken in.
    let delivered = try #require(record.requests.last?.bodyBytes)
    #expect((95_000...100_000).contains(delivered))
    #expect(record.statusLines.lines.allSatisfy { $0.last <= 2 })
    #expect(record.instrument.discarded == 0)
    #expect(record.exactlyOnce.lost == 0)
  }

  @Test func `what was half sent is resumed after a start, and nothing is held twice`() throws {
    let record = try world("{ at: 10 s, do: kill }, { at: 20 s, do: start }").run("after")
    #expect(record.outcome == .finished)
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.attempts("copy") == [1])
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    #expect(record.requests.allSatisfy { $0.at < 10 || $0.at >= 20 })
  }

  @Test(arguments: 1...12)
  func `a kill at any time loses nothing`(quarter: Int) throws {
    let at = Double(quarter) * 2.1
    let record = try world("{ at: \(at) s, do: kill }, { at: \(at + 1) s, do: start }")
      .run("after")
    #expect(record.files.allSatisfy { $0.landed })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
  }

  @Test func `a capture saved while the client is dead is saved at the start`() throws {
    var world = try world("{ at: 1 s, do: kill }, { at: 5 s, do: start }")
    world.scenario.captures[0].at = Instant(seconds: 2)
    let record = try world.run("after")
    #expect(record.files.allSatisfy { $0.landed })
    let first = try #require(record.requests.first)
    #expect(first.at >= 5)
  }
}
