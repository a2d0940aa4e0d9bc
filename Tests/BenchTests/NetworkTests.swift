import Bench
import Quantities
import Reports
import Scenarios
import ScratchEngine
import Testing
import Uploads

/// How the simulated link treats connections, seen by what the engine and the client made of it.
struct NetworkTests {
  private func world(
    _ link: String, variant: String = "policy: after", script: String = "[]"
  ) throws -> SmallWorld {
    try SmallWorld(
      """
      seed: 7
      horizon: 200 s
      link: { \(link) }
      captures:
        - photo: { original: 1.2 MB, copy: 300 KB }
          at: 0 s
      engine: { turn: { takes: 5 s }, script: \(script) }
      variants:
        only: { client: outbox, \(variant) }
      """)
  }

  private let slow = "up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 250 KB"

  @Test func `a reset discards what has not crossed`() throws {
    var world = try world(slow)
    world.scenario.variants[0].policy?.idle = .fixed(.seconds(4))
    let record = try world.run("only")
    let copies = record.requests.filter { $0.step == "copy" }
    #expect(copies.count > 2)
    for copy in copies.dropLast() {
      #expect(copy.end == "reset")
      // Counted until 2.5 s, cut at 6.5 s: 6.4 s x 20 KB/s, the head and a packet aside.
      #expect(abs(copy.bodyBytes - 128_000) < 2_000)
    }
    let instrument = record.instrument
    #expect(instrument.discarded > 0)
    #expect(instrument.takenIn == instrument.carried + instrument.discarded)
    #expect(instrument.carried == instrument.engineReceived)
  }

  @Test func `a close lets all be delivered that was taken in, and its receipt is lost`() throws {
    var world = try world(slow, variant: "policy: after, cut: close")
    world.scenario.variants[0].policy?.idle = .fixed(.seconds(4))
    let record = try world.run("only")
    let copies = record.requests.filter { $0.step == "copy" }
    #expect(copies.first?.bodyBytes == 300_000)
    #expect(record.files[0].replays > 0)
    #expect(record.wire.repeated >= 300_000)
    #expect(record.exactlyOnce.duplicates == 0)
  }

  @Test func `an unlimited link takes round trips alone`() throws {
    let record = try world(
      "up: unlimited, down: unlimited, latency: 100 ms, buffer: 64 KB"
    ).run("only")
    #expect(record.files.allSatisfy { $0.landed })
    // Record, copy, turn and original: a round trip each, and the 5 s of the turn.
    #expect(record.finishedAt == 5.8)
  }

  @Test func `over an offline link nothing crosses, and limits end what is tried`() throws {
    let record = try world(
      "up: offline, down: 200 KB/s, latency: 100 ms, buffer: 64 KB"
    ).run("only")
    #expect(record.wire.up == 0)
    #expect(record.requests.isEmpty)
    #expect(record.outcome == .horizon)
    #expect(record.instrument.carried == 0 && record.instrument.discarded > 0)
  }

  @Test func `a send buffer larger than the path's decides how much is taken in`() throws {
    let link = "up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB"
    let plain = try world(link).run("only")
    let large = try world(link, variant: "policy: after, send-buffer: 200 KB").run("only")
    #expect(plain.instrument.buffers == [64_000, 64_000])
    #expect(large.instrument.buffers.allSatisfy { $0 > 200_000 })
  }
}
