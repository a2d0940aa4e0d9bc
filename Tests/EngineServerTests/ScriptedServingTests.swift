import Captures
import Glibc
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// The engine's script over real sockets, as a plain client meets it.
@Suite(.timeLimit(.minutes(1)))
struct ScriptedServingTests {
  private static let path = ServerFixture.path
  private static let target = "\(path)/media/c1?role=copy"
  private static let body = seededBytes(100_000, seed: 7)

  /// What a plain client sees of a request.
  enum Sight: Hashable {
    case answered(Int)
    /// The end of the stream, or a reset, behind so many bytes.
    case ended(behind: Int), reset
    /// Bytes that are no whole answer, and the end of the stream.
    case noAnswer
    /// Nothing more behind so many bytes, for as long as it looked.
    case silent(behind: Int)
  }

  /// What comes of a deed, by the rules of the script alone.
  struct Row: CustomTestStringConvertible {
    var deed: ScriptedDeed
    var sees: Sight
    var end: LedgerRequest.End
    var by: LedgerRequest.Party
    var phase: LedgerRequest.Phase
    var stored: Bool
    var testDescription: String { "\(deed.at): \(deed.action)" }

    init(_ deed: ScriptedDeed) {
      self.deed = deed
      stored = deed.at.isStored || deed.action.isSlow
      phase =
        switch deed.at {
        case .connect, .head: .head
        case .body, .bodyTime, .silence: .body
        case .whole: .whole
        case .stored: .decided
        case .answer: .answer
        }
      let sent = if case .answer(let bytes) = deed.at { bytes } else { 0 }
      switch deed.action {
      case .close(.end): (sees, end, by) = (.ended(behind: sent), .closed, .script)
      case .close(.reset): (sees, end, by) = (.reset, .reset, .script)
      case .close(.silence): (sees, end, by) = (.silent(behind: sent), .reset, .client)
      case .answer(let answer) where !answer.isWhole:
        (sees, end, by) = (.noAnswer, .closed, .script)
      case .answer(let answer):
        (sees, end, by) = (.answered(answer.status ?? 0), .answered, .engine)
      case .delay, .stall, .dribble, .holdContinue:
        (sees, end, by) = (.answered(201), .answered, .engine)
      }
      if case .close = deed.action { return }
      phase = .answer
    }
  }

  static let rows = ScriptMatrix(bytes: 40_000, time: .seconds(2)).deeds.map(Row.init)

  private func server(_ deed: ScriptedDeed, over wire: Wire = .plain) throws -> ServerFixture {
    // The record goes over a connection of its own.
    let when =
      deed.at == .connect ? RequestPattern(connection: 2) : RequestPattern(step: .copy, attempt: 1)
    let rule = ScriptRule(when: when, then: deed)
    let server = try ServerFixture(EngineScript(rules: [rule]), over: wire, factor: 60)
    #expect(try server.talk().ask("PUT", Self.path, ServerFixture.record)?.status == 201)
    return server
  }

  private func repeated(on server: ServerFixture, isReplay: Bool) throws {
    let talk = try server.talk()
    talk.send("PUT", Self.target, Self.body)
    let answer = try #require(talk.receive())
    #expect(answer.status == (isReplay ? 200 : 201))
    #expect(answer.body.contains(#""replayed":\#(isReplay)"#))
    let ledger = try server.ledger { $0.requests.last?.end == .answered }
    #expect(ledger.files.map(\.storedBytes) == [Self.body.count])
    #expect(ledger.files.map(\.replays) == [isReplay ? 1 : 0])
    #expect(ledger.duplicates == 0)
  }

  /// A connection on which a request with a body was sent; without TLS where the engine does not
  /// answer the handshake.
  private func send(_ deed: ScriptedDeed, to server: ServerFixture, over wire: Wire) throws -> Talk
  {
    if deed.at == .connect, !deed.action.isSlow {
      let socket = try #require(BlockingSocket.connect(port: server.port))
      let talk = Talk(socket)
      // A send that meets the reset first would take the news of it away.
      if deed == ScriptedDeed(at: .connect, .close(.reset)) { return talk }
      if wire == .tls {
        socket.send(SecureBlockingSocket.clientHello())
      } else {
        talk.send("PUT", Self.target, Self.body)
      }
      return talk
    }
    let talk = try server.talk()
    switch deed.at {
    case .bodyTime, .silence: break
    default:
      talk.send("PUT", Self.target, Self.body)
      return talk
    }
    talk.send("PUT", Self.target, Array(Self.body.prefix(40_000)), declared: Self.body.count)
    if deed.action.isSlow {
      usleep(60_000)
      talk.socket.send(Array(Self.body.dropFirst(40_000)))
    }
    return talk
  }

  /// Looks for a moment when nothing is to be seen, and to the end otherwise.
  private func look(_ talk: Talk, for sight: Sight) -> Sight {
    switch sight {
    case .answered: return talk.receive().map { .answered($0.status) } ?? .silent(behind: 0)
    case .noAnswer:
      return talk.receive() == nil && talk.socket.receive() == [] ? .noAnswer : .reset
    case .silent:
      var moment = timeval(tv_sec: 0, tv_usec: 50_000)
      setsockopt(
        talk.socket.descriptor, SOL_SOCKET, SO_RCVTIMEO, &moment,
        socklen_t(MemoryLayout<timeval>.size))
      var count = 0
      while let bytes = talk.socket.receive() {
        if bytes.isEmpty { return .ended(behind: count) }
        count += bytes.count
      }
      return errno == EAGAIN ? .silent(behind: count) : .reset
    case .ended, .reset:
      let (bytes, isClean) = talk.socket.receiveAll()
      return isClean ? .ended(behind: bytes.count) : .reset
    }
  }

  @Test(arguments: rows, Wire.allCases)
  func `a plain client sees each action at its phase, and its repeat is stored once`(
    row: Row, wire: Wire
  ) throws {
    let server = try server(row.deed, over: wire)
    defer { server.stop() }
    do {
      let talk = try send(row.deed, to: server, over: wire)
      #expect(look(talk, for: row.sees) == row.sees)
      if case .silent = row.sees { talk.socket.resetOnClose() }
    }
    let ledger = try server.ledger { $0.connections.last?.end != nil }
    #expect(ledger.connections.count == 2)
    #expect(ledger.connections.allSatisfy { $0.end != nil && $0.fault == nil })
    if row.deed.at == .connect {
      #expect(ledger.connections.last?.rule == 0)
      #expect(ledger.requests.count == (row.deed.action.isSlow ? 2 : 1))
    } else {
      let request = try #require(ledger.requests.last)
      #expect(request.end == row.end)
      #expect(request.endedBy == row.by)
      #expect(request.phase == row.phase)
      #expect(request.stored == row.stored)
      #expect(request.rule == 0)
      #expect(request.bodyBytes <= Self.body.count)
      if case .body(let bytes) = row.deed.at { #expect(request.bodyBytes >= bytes) }
      #expect(request.status == (row.end == .answered ? request.decidedStatus : nil))
    }
    try repeated(on: server, isReplay: row.stored)
    #expect(eventually { server.connectionCount == 0 })
  }

  /// A request that stores something, and those that have to come before it.
  struct Kind: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var method: String
    var target: String
    var body: String
    var before: [Kind] = []
  }

  private static let record = Kind(
    testDescription: "record", method: "PUT", target: path, body: ServerFixture.record)
  private static let file = Kind(
    testDescription: "file", method: "PUT", target: target,
    body: String(repeating: "a", count: 900),
    before: [record])
  private static let staged = Kind(
    testDescription: "staged upload", method: "POST",
    target: "/api/staged-uploads?request_id=s1", body: String(repeating: "b", count: 900))
  static let kinds = [
    record, file, staged,
    Kind(
      testDescription: "turn", method: "POST", target: "\(path)/turns", body: ServerFixture.turn,
      before: [record, file]),
    Kind(
      testDescription: "encounter", method: "POST", target: "/api/encounters",
      body: #"{"request_id":"e2","kind":"plate","staged":["s1"]}"#, before: [staged]),
    Kind(
      testDescription: "live call", method: "POST", target: "/api/live",
      body: #"{"request_id":"l1","text":"Where is this?"}"#),
  ]

  /// Twenty places in the request and its answer, by turns cut as an end and as a reset.
  @Test(arguments: kinds, Wire.allCases)
  func `wherever the connection is lost, the same id is stored once`(
    kind: Kind, wire: Wire
  ) throws {
    for place in 0..<20 {
      let phase: ScriptPhase =
        place < 10
        ? .body(1 + place * (kind.body.utf8.count - 1) / 9) : .answer(1 + (place - 10) * 15)
      let way: ScriptedClose = place % 2 == 0 ? .end : .reset
      let rule = ScriptRule(
        when: RequestPattern(connection: 2), then: ScriptedDeed(at: phase, .close(way)))
      let server = try ServerFixture(EngineScript(rules: [rule]), over: wire)
      defer { server.stop() }
      let first = try server.talk()
      for request in kind.before {
        #expect(first.ask(request.method, request.target, request.body)?.status == 201)
      }
      let talk = try server.talk()
      talk.send(kind.method, kind.target, Array(kind.body.utf8))
      let (bytes, isClean) = talk.socket.receiveAll()
      #expect(isClean == (way == .end), "\(phase)")
      if case .answer(let count) = phase, way == .end { #expect(bytes.count == count) }
      let lost = try #require(try server.ledger().requests.last)
      #expect(lost.stored == phase.isStored && lost.status == nil && lost.endedBy == .script)

      let again = try #require(try server.talk().ask(kind.method, kind.target, kind.body))
      #expect([200, 201].contains(again.status))
      #expect(again.body.contains(#""replayed":\#(phase.isStored)"#), "\(phase)")
      let tries = try server.ledger().requests.suffix(2)
      #expect(tries.count { $0.stored } == 1)
    }
  }

  @Test func `a stall is felt by the client, and ends`() throws {
    let server = try server(ScriptedDeed(at: .body(40_000), .stall(.seconds(60))))
    defer { server.stop() }
    let socket = try #require(BlockingSocket.connect(port: server.port, sendBuffer: 16_384))
    let body = seededBytes(4_000_000, seed: 7)
    let head = Talk.request("PUT", Self.target, declared: body.count)
    let all = head + body
    // One second of the loop's is 60 of the script's.
    var sent = 0
    var refusals = 0
    while sent < all.count, refusals < 20 {
      let count = all[sent...].withUnsafeBytes {
        Glibc.send(
          socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else {
        refusals += 1
        usleep(10_000)
      }
    }
    #expect((40_000...400_000).contains(sent))
    #expect(socket.send(Array(all[sent...])))
    let talk = Talk(socket)
    #expect(talk.receive()?.status == 201)
    #expect(try server.ledger().files.map(\.storedBytes) == [body.count])
  }

  @Test func `a silent connection ends when its client has gone, with unread bytes as well`() throws
  {
    let server = try server(ScriptedDeed(at: .head, .close(.silence)))
    defer { server.stop() }
    do {
      let talk = try server.talk()
      talk.send("PUT", Self.target, Array(Self.body.prefix(20_000)), declared: Self.body.count)
    }
    let ledger = try server.ledger { $0.connections.last?.end != nil }
    let request = try #require(ledger.requests.last)
    #expect(request.end == .closed && request.endedBy == .client && request.phase == .head)
    #expect(request.bodyBytes == 20_000)
  }

  @Test func `a rule acts as often as it says, in its time, on its paths`() throws {
    let rules = [
      ScriptRule(
        when: RequestPattern(method: "GET", path: "/api/*"), times: 2,
        then: ScriptedDeed(
          .answer(
            .init(
              200, headers: [HeaderLine(name: "Content-Type", value: "text/html")],
              body: "<html>Please log in</html>")))),
      ScriptRule(
        when: RequestPattern(path: "/portal", from: Instant(seconds: 3_600)),
        then: ScriptedDeed(.answer(.init(511)))),
    ]
    let server = try ServerFixture(EngineScript(rules: rules))
    defer { server.stop() }
    let talk = try server.talk()
    for _ in 0..<2 {
      let answer = talk.ask("GET", "/api/health")
      #expect(answer?.body == "<html>Please log in</html>")
      #expect(answer?.fields["Content-Type"] == "text/html")
    }
    #expect(talk.ask("GET", "/api/health")?.body == #"{"ok":true,"engine":"onebar"}"#)
    #expect(talk.ask("GET", "/portal")?.status == 404)
  }

  @Test func `an answer comes in its pieces, each at its time`() throws {
    let rule = ScriptRule(
      when: RequestPattern(path: "/api/health"),
      then: ScriptedDeed(at: .answer(60), .dribble(.init(bytes: 10, every: .seconds(1)))))
    let server = try ServerFixture(EngineScript(rules: [rule]), factor: 60)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("GET", "/api/health")?.body == #"{"ok":true,"engine":"onebar"}"#)
    let request = try #require(try server.ledger().requests.first)
    let pieces = (request.sent - 60 + 9) / 10
    #expect(pieces > 3)
    #expect(try #require(request.endedAt) - request.startedAt >= .seconds(pieces))
  }

  @Test func `a handshake that the script puts off has its own time from then on`() throws {
    let rule = ScriptRule(
      when: RequestPattern(connection: 1), then: ScriptedDeed(at: .connect, .delay(.seconds(15))))
    let server = try ServerFixture(EngineScript(rules: [rule]), over: .tls, factor: 60)
    defer { server.stop() }
    // Its limit of 10 s would end it before anything is read.
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
    let ledger = try server.ledger()
    #expect(ledger.connections.first?.fault == nil)
    let request = try #require(ledger.requests.first)
    #expect(request.startedAt - ledger.connections[0].openedAt >= .seconds(15))
  }
}
