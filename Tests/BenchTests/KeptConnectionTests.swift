import EngineServer
import EventLoop
import LinkModel
import Quantities
import Reports
import Scenarios
import ScratchEngine
import TestSupport
import Testing
import UploadAdapters
import Uploads

@testable import Bench

/// A client that uses a kept connection about when the engine ends it, in both worlds.
@Suite(.timeLimit(.minutes(1)))
struct KeptConnectionTests {
  /// Uploads of very different sizes, each under an id of its own.
  private static let steps = 50
  private static let sizes = [300, 20_000, 300_000]

  private static func upload(_ number: Int) -> OutgoingRequest {
    OutgoingRequest(
      method: "POST", path: "/api/staged-uploads?request_id=u\(number)",
      body: .bytes(
        seededBytes(sizes[number % sizes.count], seed: UInt64(number)), type: "image/jpeg"),
      answerLimit: 10_000, sendBuffer: 16_000)
  }

  private static let script = EngineScript(keepAlive: KeepAlive(timeout: .seconds(1)))

  /// Every upload is answered and stored once, and began twice at most.
  private func expectDone(_ events: [[ExchangeEvent]], _ ledger: Ledger) {
    for (number, events) in events.enumerated() {
      guard case .answered(let answer) = events.last else {
        Issue.record("\(number): \(events.suffix(2))")
        continue
      }
      #expect(answer.status == 201)
      let attempts = events.compactMap { if case .began(let attempt) = $0 { attempt } else { nil } }
      #expect(attempts == [1] || attempts == [1, 2])
    }
    #expect(ledger.files.count == Self.steps)
    #expect(ledger.files.allSatisfy { $0.attempts == 1 && $0.replays == 0 && $0.storedAt != nil })
    #expect(ledger.duplicates == 0)
  }

  @Test func `over a simulated link each is stored once, whenever it comes`() throws {
    let time = VirtualTime()
    let network = VirtualNetwork(
      LinkConditions(
        up: DirectionConditions(rate: .limited(.kilobytes(61.4)), latency: .milliseconds(100)),
        down: DirectionConditions(rate: .limited(.kilobytes(614)), latency: .milliseconds(100))),
      engine: VirtualParts().engine(Self.script, SeededRandom(seed: 7)),
      random: SeededRandom(seed: 7), time: time)
    let transport = VirtualTransport(network, disk: SimulatedDisk(), life: ClientLife())
    let events = try time.run {
      var all: [[ExchangeEvent]] = []
      for number in 0..<Self.steps {
        var events: [ExchangeEvent] = []
        for await event in transport.begin(Self.upload(number)).events { events.append(event) }
        all.append(events)
        // From 0.7 s, when the next arrives in time, to 1.1 s, when the end has arrived before it.
        try await time.sleep(until: time.now + .milliseconds(700 + number * 8))
      }
      return all
    }
    let ledger = network.engine.ledger
    expectDone(events, ledger)
    let repeated = events.count { $0.contains(.began(attempt: 2)) }
    let kept = ledger.connections.count { !$0.timedOut }
    #expect((20...30).contains(repeated) && kept <= 1)
    #expect(ledger.connections.count { $0.timedOut && $0.end == .reset } == repeated)
  }

  @Test func `over sockets each is stored once, whenever it comes`() async throws {
    // A second lasts 50 ms.
    let thread = try LoopThread(factor: 20) { loop in
      try ScratchServer(script: Self.script, listen: SocketAddress(port: 0), loop: loop)
    }
    defer {
      _ = thread.ask { _, server in server.stop() }
      thread.stop()
    }
    let port = try #require(thread.ask { _, server in server.address.port })
    let transport = CurlTransport(engine: "http://127.0.0.1:\(port)")
    var all: [[ExchangeEvent]] = []
    for number in 0..<Self.steps {
      var events: [ExchangeEvent] = []
      for await event in transport.begin(Self.upload(number)).events { events.append(event) }
      all.append(events)
      try await ContinuousClock().sleep(for: .microseconds(48_000 + number * 80))
    }
    transport.shutdown()
    expectDone(all, try #require(thread.ask { _, server in server.engine.ledger }))
  }

  @Test func `no document of fifty waits for a pass that was stopped`() throws {
    var captures = ""
    var at = 0.0
    for number in 0..<50 {
      captures += "\n  - { document: 2 KB, at: \((at * 100).rounded() / 100) s }"
      at += 0.85 + [0.9, 1, 1.1][number % 3]
    }
    let world = try SmallWorld(
      """
      seed: 30
      horizon: 120 s
      link: { up: 61.4 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      engine: { keep-alive: 1 s }
      captures:\(captures)
      variants:
        only: { client: outbox, policy: after }
      """)
    let record = try world.run("only")
    // Made of so few bytes, some are equal, which is what its duplicates are counted by.
    #expect(record.exactlyOnce.moments == 50 && record.exactlyOnce.lost == 0)
    for (file, capture) in zip(record.files, world.scenario.captures) {
      #expect(file.attempts == 1 && file.sha256Matches == true)
      let landed = try #require(file.landedAt)
      #expect(landed - (capture.at - .zero).inSeconds < 1.5)
    }
    let instrument = record.instrument
    #expect(instrument.carried == instrument.engineReceived && instrument.discarded > 0)
  }

  /// Woken for the connection that it keeps, the engine would read on before its time.
  @Test func `a stall lasts to its end though the connection's time is over before`() throws {
    let record = try SmallWorld(
      """
      seed: 7
      horizon: 100 s
      link: { up: 100 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      captures: [{ photo: { original: 300 KB, copy: 100 KB }, at: 0 s }]
      engine:
        keep-alive: 0.5 s
        script: [{ when: { step: copy }, then: { at: head, stall: 4 s } }]
      variants:
        only: { client: outbox, policy: after }
      """
    ).run("only")
    let copy = try #require(record.requests.first { $0.step == "copy" })
    #expect(copy.seconds >= 4 && copy.status == 201)
    #expect(record.attempts("copy") == [1])
  }

  @Test(arguments: [("gap-408", 2, 0), ("gap-400", 1, 1)])
  func `a body that falls silent is answered in its silence`(
    name: String, attempts: Int, parked: Int
  ) throws {
    let record = try SmallWorld(shipped: name).run("after")
    #expect(record.attempts("document") == [attempts])
    #expect(record.parked == parked && record.exactlyOnce.lost == 0)
    let first = try #require(record.requests.first { $0.step == "document" })
    let silence = parked == 0 ? 60.0 : 20.0
    // The last byte to cross left at 40 s and arrived 0.1 s later.
    #expect(first.status == (parked == 0 ? 408 : 400))
    #expect(abs(first.at + first.seconds - 40.1 - silence) < 0.1)
    #expect(first.bodyBytes < 900_000 && first.phase == "answer" && first.endedBy == "engine")
    #expect(
      record.statusLines.lines.contains { $0.text.contains("No byte came for 20 s") }
        == (parked == 1))
  }
}
