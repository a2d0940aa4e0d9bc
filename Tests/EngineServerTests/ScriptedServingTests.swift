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
    /// Nothing more behind so many bytes, for as long as it looked.
    case silent(behind: Int)
  }

  struct Row: CustomTestStringConvertible {
    var at: ScriptPhase
    var action: ScriptAction
    var sees: Sight
    var end: LedgerRequest.End
    var by: LedgerRequest.Party
    var stored = false
    var testDescription: String { "\(at): \(action)" }
  }

  private static func rows(at phase: ScriptPhase, stored: Bool, sent: Int = 0) -> [Row] {
    func row(
      _ action: ScriptAction, _ sees: Sight, _ end: LedgerRequest.End,
      _ by: LedgerRequest.Party = .engine, stores: Bool = stored
    ) -> Row {
      Row(at: phase, action: action, sees: sees, end: end, by: by, stored: stores)
    }
    let time = Duration.seconds(2)
    let closes = [
      row(.close(.end), .ended(behind: sent), .closed, .script),
      row(.close(.reset), .reset, .reset, .script),
      row(.close(.silence), .silent(behind: sent), .reset, .client),
    ]
    let answers = [
      row(.answer(.init(413)), .answered(413), .answered),
      row(
        .answer(.init(413, close: .reset, closeAfter: time)), .answered(413), .answered),
      row(.answer(.init(413, close: .silence)), .answered(413), .answered),
    ]
    let waits = [
      row(.delay(time), .answered(201), .answered, stores: true),
      row(.stall(time), .answered(201), .answered, stores: true),
    ]
    return (closes + answers + waits).filter {
      ScriptedDeed(at: $0.at, $0.action).mismatch == nil
    }
  }

  static let rows =
    rows(at: .head, stored: false) + rows(at: .body(40_000), stored: false)
    + rows(at: .whole, stored: false) + rows(at: .stored, stored: true)
    + rows(at: .answer(20), stored: true, sent: 20)

  private func server(_ deed: ScriptedDeed, over wire: Wire = .plain) throws -> ServerFixture {
    let rule = ScriptRule(when: RequestPattern(step: .copy, attempt: 1), then: deed)
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

  /// Looks for a moment when nothing is to be seen, and to the end otherwise.
  private func look(_ talk: Talk, for sight: Sight) -> Sight {
    switch sight {
    case .answered: return talk.receive().map { .answered($0.status) } ?? .silent(behind: 0)
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
    let server = try server(ScriptedDeed(at: row.at, row.action), over: wire)
    defer { server.stop() }
    do {
      let talk = try server.talk()
      talk.send("PUT", Self.target, Self.body)
      #expect(look(talk, for: row.sees) == row.sees)
      if case .silent = row.sees { talk.socket.resetOnClose() }
    }
    let ledger = try server.ledger { $0.connections.last?.end != nil }
    let request = try #require(ledger.requests.last)
    #expect(request.end == row.end)
    #expect(request.endedBy == row.by)
    #expect(request.stored == row.stored)
    #expect(ledger.connections.last?.end != nil)
    try repeated(on: server, isReplay: row.stored)
  }

  /// Twenty places in the request and its answer, each cut in both ways.
  @Test(arguments: 0..<20, [ScriptedClose.end, .reset])
  func `wherever the connection is lost, the same id is stored once`(
    place: Int, way: ScriptedClose
  ) throws {
    let phase: ScriptPhase =
      place < 10 ? .body(1 + place * 11_111) : .answer(1 + (place - 10) * 18)
    let server = try server(ScriptedDeed(at: phase, .close(way)))
    defer { server.stop() }
    let talk = try server.talk()
    talk.send("PUT", Self.target, Self.body)
    let (bytes, isClean) = talk.socket.receiveAll()
    #expect(isClean == (way == .end))
    if case .answer(let count) = phase, way == .end { #expect(bytes.count == count) }
    let request = try #require(try server.ledger().requests.last)
    #expect(request.stored == (place >= 10))
    #expect(request.status == nil)
    try repeated(on: server, isReplay: place >= 10)
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
}
