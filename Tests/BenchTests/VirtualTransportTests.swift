import LinkModel
import Quantities
import ScratchEngine
import Testing
import ThrottlingProxy
import Uploads

@testable import Bench

/// What the stand-in for the transport over libcurl tells its caller, and what the engine sees.
struct VirtualTransportTests {
  private struct Bench {
    let time = VirtualTime()
    let network: VirtualNetwork
    let transport: VirtualTransport

    init() {
      network = VirtualNetwork(
        LinkConditions(
          up: DirectionConditions(rate: .limited(.kilobytes(100)), latency: .milliseconds(50)),
          down: DirectionConditions(rate: .limited(.kilobytes(200)), latency: .milliseconds(50))),
        engine: VirtualParts().engine(EngineScript(), SeededRandom(seed: 7)),
        random: SeededRandom(seed: 7), time: time)
      transport = VirtualTransport(network, disk: SimulatedDisk(), life: ClientLife())
    }

    /// All events of requests that are sent one after the other.
    func events(_ requests: [OutgoingRequest]) throws -> [[ExchangeEvent]] {
      let transport = transport
      return try time.run {
        var all: [[ExchangeEvent]] = []
        for request in requests {
          var events: [ExchangeEvent] = []
          for await event in transport.begin(request).events { events.append(event) }
          all.append(events)
        }
        return all
      }
    }
  }

  private let health = OutgoingRequest(
    method: "GET", path: "/api/health", answerLimit: 1_000, sendBuffer: 16_000)
  private let upload = OutgoingRequest(
    method: "PUT", path: "/api/moments/01J8Z0000000000000000000AB/media/m1?role=copy",
    body: .bytes([UInt8](repeating: 7, count: 2_000_000), type: "image/jpeg"),
    answerLimit: 100_000, sendBuffer: 16_000)

  private func statuses(_ events: [ExchangeEvent]) -> [Int] {
    events.compactMap { if case .answered(let answer) = $0 { answer.status } else { nil } }
  }

  private func began(_ events: [ExchangeEvent]) -> [Int] {
    events.compactMap { if case .began(let attempt) = $0 { attempt } else { nil } }
  }

  @Test func `a small call begins, is received and answered, and the connection is kept`() throws {
    let bench = Bench()
    let events = try bench.events([health, health])
    for events in events {
      #expect(events.first == .began(attempt: 1))
      #expect(statuses(events) == [200])
      guard case .received(let bytes) = events.dropLast().last else {
        Issue.record("\(events)")
        continue
      }
      #expect(bytes > 50)
    }
    #expect(bench.network.engine.ledger.connections.count == 1)
    #expect(bench.network.engine.ledger.requests.map(\.status) == [200, 200])
  }

  @Test func `an event stream is told what another connection stores`() throws {
    let bench = Bench()
    let moment = "/api/moments/01J8Z0000000000000000000AB"
    let record = OutgoingRequest(
      method: "PUT", path: moment,
      body: .bytes(
        Array(#"{"request_id":"e1","kind":"photo"}"#.utf8), type: "application/json"),
      answerLimit: 1_000, sendBuffer: 16_000)
    var media = upload
    media.body = .bytes([1, 2, 3], type: "image/jpeg")
    var listening = health
    listening.path = "\(moment)/events"
    let (transport, network) = (bench.transport, OnVirtualThread(bench.network))
    let (stream, other) = (listening, media)
    let told = try bench.time.run {
      for await _ in transport.begin(record).events {}
      let exchange = transport.begin(stream)
      var told: [Instant] = []
      for await event in exchange.events {
        guard case .received = event else { continue }
        told.append(network.part.time.now)
        // The head, what had happened, what happens then, and a comment.
        if told.count == 2 { for await _ in transport.begin(other).events {} }
        if told.count == 4 { exchange.cut(.reset) }
      }
      return told
    }
    #expect(told.map { $0.seconds.rounded(.down) } == [0, 0, 0, 30])
    #expect(bench.network.engine.ledger.requests.map(\.end) == [.answered, .reset, .answered])
  }

  @Test func `an early refusal ends the sending and the connection`() throws {
    let bench = Bench()
    // Nothing is known of the moment, so that the engine does not wait for so large a body.
    let events = try bench.events([upload, health])
    #expect(statuses(events[0]) == [404])
    let sent = events[0].compactMap { if case .sent(let bytes) = $0 { bytes } else { nil } }
    #expect(sent == sent.sorted() && (sent.first ?? 0) > 60_000 && (sent.last ?? 0) < 200_000)
    #expect(statuses(events[1]) == [200])
    let ledger = bench.network.engine.ledger
    #expect(ledger.connections.count == 2)
    #expect(ledger.requests[0].end == .answered)
  }

  @Test func `a kept connection that breaks without a byte of an answer is repeated once`() throws {
    let bench = Bench()
    let network = OnVirtualThread(bench.network)
    // In the middle of the second request's body.
    bench.time.at(Instant(seconds: 0.17)) { network.part.stop() }
    var small = upload
    small.body = .bytes([UInt8](repeating: 7, count: 20_000), type: "image/jpeg")
    let events = try bench.events([health, small])
    #expect(began(events[0]) == [1])
    #expect(began(events[1]) == [1, 2])
    #expect(statuses(events[1]) == [404])
    #expect(bench.network.engine.ledger.requests.filter { $0.end == .reset }.count <= 1)
  }

  @Test func `a fresh connection that breaks is a failure`() throws {
    let bench = Bench()
    let network = OnVirtualThread(bench.network)
    bench.time.at(Instant(seconds: 0.08)) { network.part.stop() }
    let events = try bench.events([upload])
    #expect(events[0].last == .failed(.broken("Recv failure: Connection reset by peer")))
    #expect(bench.network.engine.ledger.connections.map(\.end) == [.reset])
  }

  @Test(arguments: UploadPolicy.Cut.allCases)
  func `a cut is told at once, and the engine sees its way`(way: UploadPolicy.Cut) throws {
    let bench = Bench()
    let transport = bench.transport
    // So short that the engine reads it to its end before it answers.
    var upload = upload
    upload.body = .bytes([UInt8](repeating: 7, count: 200_000), type: "image/jpeg")
    let request = upload
    let events = try bench.time.run { [time = bench.time] in
      let exchange = transport.begin(request)
      try await time.sleep(until: Instant(seconds: 0.04))
      exchange.cut(way)
      exchange.cut(.reset)
      var events: [ExchangeEvent] = []
      for await event in exchange.events { events.append(event) }
      // What is on its way arrives, or does not.
      try await time.sleep(until: Instant(seconds: 5))
      return events
    }
    #expect(events.last == .failed(.cut))
    let reading = bench.network.read()
    #expect(reading.up.takenIn == reading.up.carried + reading.up.discarded)
    #expect((reading.up.discarded > 0) == (way == .reset))
    #expect(reading.connections == 0)
  }

  @Test func `a file that is not there, or not as long, is no request`() throws {
    var missing = upload
    missing.body = .file(path: "/outbox/x", bytes: 5, type: "image/jpeg")
    let events = try Bench().events([missing])
    guard case .failed(.file) = events[0].first else {
      Issue.record("\(events)")
      return
    }
    #expect(events[0].count == 1)
  }
}
