import Captures
import EngineServer
import EventLoop
import LinkModel
import Quantities
import ScratchEngine
import TestSupport
import Testing
import ThrottlingProxy
import UploadAdapters
import Uploads

@testable import Bench

/// libcurl over sockets and its stand-in over the simulated link, against one script: what each
/// tells the client, and what the engine's ledger says of it.
@Suite(.timeLimit(.minutes(2)))
struct ScriptedTransportTests {
  static let body = 200_000

  /// What became of the copy, in either world.
  struct Outcome: Hashable, CustomStringConvertible {
    struct Attempt: Hashable, CustomStringConvertible {
      var status: Int?
      var end: LedgerRequest.End
      var by: LedgerRequest.Party?
      var phase: LedgerRequest.Phase
      var stored: Bool
      var replay: Bool

      init(_ request: LedgerRequest) {
        (status, end, by) = (request.status, request.end, request.endedBy)
        (phase, stored, replay) = (request.phase, request.stored, request.replay)
      }

      var description: String {
        "\(status ?? 0) \(end) by \(by.map(\.rawValue) ?? "nobody") in \(phase)"
          + (stored ? ", stored" : "") + (replay ? ", replay" : "")
      }
    }

    var told: String
    var attempts: [Attempt]

    init(_ events: [ExchangeEvent], _ requests: [LedgerRequest]) {
      told =
        switch events.last {
        case .answered(let answer): "answered \(answer.status)"
        case .failed(.broken): "broken"
        case .failed(let failure): "\(failure)"
        case let other: "\(String(describing: other))"
        }
      attempts = requests.map(Attempt.init)
    }

    var description: String {
      "\(told): " + attempts.map(\.description).joined(separator: "; ")
    }
  }

  /// Together with what packets and reads make differ.
  struct Seen {
    var outcome: Outcome
    var bytes: [Int]
    var words: String

    init(_ events: [ExchangeEvent], _ ledger: Ledger) {
      let copies = ledger.requests.filter { $0.step == .copy }
      outcome = Outcome(events, copies)
      bytes = copies.map(\.bodyBytes)
      words = if case .failed(.broken(let words)) = events.last { words } else { "" }
    }
  }

  struct Case: CustomTestStringConvertible {
    var deed: ScriptedDeed
    /// The copy goes out on a connection that carried the record.
    var isKept: Bool
    var testDescription: String { "\(deed.at): \(deed.action)\(isKept ? ", kept" : "")" }
  }

  private static let moment = "/api/moments/01J8Z0000000000000000000AB"
  private static let record = OutgoingRequest(
    method: "PUT", path: moment,
    body: .bytes(
      Array(#"{"request_id":"e1","kind":"photo"}"#.utf8), type: "application/json"),
    answerLimit: 100_000, sendBuffer: 16_384)
  private static let copy = OutgoingRequest(
    method: "PUT", path: "\(moment)/media/c1?role=copy",
    body: .bytes([UInt8](repeating: 7, count: body), type: "image/jpeg"),
    answerLimit: 100_000, sendBuffer: 16_384)
  private static let link = LinkConditions(
    up: DirectionConditions(rate: .limited(.kilobytes(100)), latency: .milliseconds(100)),
    down: DirectionConditions(rate: .limited(.kilobytes(200)), latency: .milliseconds(100)),
    buffer: .kilobytes(32))
  /// Long after anything that the script does, in link time.
  private static let limit = Duration.seconds(12)

  private static func script(_ deed: ScriptedDeed) -> EngineScript {
    let when =
      deed.at == .connect ? RequestPattern(connection: 2) : RequestPattern(step: .copy, attempt: 1)
    return EngineScript(rules: [ScriptRule(when: when, then: deed)])
  }

  private static func virtual(_ deed: ScriptedDeed, isKept: Bool) throws -> Seen {
    let time = VirtualTime()
    let network = VirtualNetwork(
      link, engine: VirtualParts().engine(script(deed), SeededRandom(seed: 7)),
      random: SeededRandom(seed: 7), time: time)
    let transport = VirtualTransport(network, disk: SimulatedDisk(), life: ClientLife())
    let events = try time.run {
      let events = await exchange(transport, time, isKept)
      // What a close left behind is delivered.
      try await time.sleep(until: time.now + limit)
      return events
    }
    return Seen(events, network.engine.ledger)
  }

  private static func real(_ deed: ScriptedDeed, isKept: Bool) async throws -> Seen {
    let thread = try LoopThread(factor: 20) { loop in
      let server = try ScratchServer(
        script: script(deed), listen: SocketAddress(port: 0), loop: loop)
      let proxy = try LinkProxy(
        link, listen: SocketAddress(port: 0), to: server.address, loop: loop)
      return (server: server, proxy: proxy)
    }
    defer {
      _ = thread.ask { _, parts in
        parts.proxy.stop()
        parts.server.stop()
      }
      thread.stop()
    }
    let (address, scale) = try #require(
      thread.ask { loop, parts in (parts.proxy.address, loop.scale) })
    let transport = CurlTransport(engine: "http://\(address)")
    let events = await exchange(transport, ScaledClock(scale), isKept)
    // The engine may see the end a moment after the client has made it.
    let ledger = { thread.ask { _, parts in parts.server.engine.ledger } }
    transport.shutdown()
    _ = eventually { ledger()?.connections.allSatisfy { $0.end != nil } == true }
    return Seen(events, try #require(ledger()))
  }

  private static func exchange(
    _ transport: some Transport, _ clock: some LinkClock, _ isKept: Bool
  ) async -> [ExchangeEvent] {
    var record = record
    if !isKept { record.headers = [HTTPField("Connection", "close")] }
    for await _ in transport.begin(record).events {}
    let exchange = transport.begin(copy)
    return await withTaskGroup(of: [ExchangeEvent].self) { group in
      group.addTask {
        if (try? await clock.sleep(until: clock.now + limit)) != nil { exchange.cut(.reset) }
        return []
      }
      group.addTask {
        var events: [ExchangeEvent] = []
        for await event in exchange.events { events.append(event) }
        return events
      }
      var all: [ExchangeEvent] = []
      for await events in group where !events.isEmpty {
        all = events
        group.cancelAll()
      }
      return all
    }
  }

  static let phases: [ScriptPhase] = [
    .head, .body(50_000), .whole, .stored, .answer(20), .answer(90),
  ]
  static let actions: [ScriptAction] =
    [
      .answer(.init(413)), .answer(.init(413, close: .reset, closeAfter: .seconds(4))),
      .answer(.init(413, close: .silence)), .delay(.seconds(2)), .stall(.seconds(2)),
    ] + ScriptedClose.allCases.map { .close($0) }
  private static let refusal = ScriptAction.answer(.init(413))
  private static let dribble = ScriptedDribble(bytes: 60, every: .milliseconds(500))
  private static let answers: [ScriptAction] = [
    .answer(.portal), .answer(.init(200, body: "{}", length: 300)), .answer(.init(.raw("no HTTP"))),
    .answer(.init(413, dribble: dribble)),
  ]
  private static let deeds =
    phases.flatMap { phase in actions.map { ScriptedDeed(at: phase, $0) } }
    + [.head, .body(50_000), .whole].flatMap { phase in
      answers.map { ScriptedDeed(at: phase, $0) }
    }
    + [.stored, .answer(90)].map { ScriptedDeed(at: $0, .dribble(dribble)) }
    + [refusal, .stall(.seconds(1))].map { ScriptedDeed(at: .bodyTime(.seconds(1)), $0) }
    + actions.map { ScriptedDeed(at: .connect, $0) }

  /// What acts on a connection does so to one that carries nothing before the copy.
  static let cases = deeds.filter { $0.mismatch == nil }
    .flatMap { deed in [true, false].map { Case(deed: deed, isKept: $0) } }
    .filter { !($0.isKept && $0.deed.at == .connect) }

  /// Bytes of the body in which the worlds may differ.
  private func tolerance(_ deed: ScriptedDeed) -> Int {
    switch (deed.at, deed.action) {
    // A second of the link, which is 50 ms here: to a timer, and to an answer on its way.
    case (.bodyTime, _): 100_000
    case (_, let action) where Self.answers.contains(action): 100_000
    // Kernels hold more or less of what is not read, and drop it with a reset.
    default: 50_000
    }
  }

  @Test(arguments: cases)
  func `both transports tell the same of it`(_ row: Case) async throws {
    let real = try await Self.real(row.deed, isKept: row.isKept)
    let virtual = try Self.virtual(row.deed, isKept: row.isKept)
    // A reset as soon as the connection is there may be taken for one that never was.
    if row.deed != ScriptedDeed(at: .connect, .close(.reset)) {
      #expect(real.outcome == virtual.outcome)
      #expect(real.words == virtual.words)
    }
    for (real, virtual) in zip(real.bytes, virtual.bytes) {
      #expect(abs(real - virtual) <= tolerance(row.deed))
    }
  }
}
