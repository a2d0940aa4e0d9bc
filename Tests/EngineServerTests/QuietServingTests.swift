import Captures
import Glibc
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// What the engine does over real sockets when nothing comes.
@Suite(.timeLimit(.minutes(1)))
struct QuietServingTests {
  private static let path = ServerFixture.path

  @Test(arguments: Wire.allCases)
  func `a kept connection ends in order when its time is over, and each request moves it`(
    wire: Wire
  ) throws {
    // 1.5 s last 150 ms.
    let script = EngineScript(keepAlive: KeepAlive(timeout: .seconds(1.5)))
    let server = try ServerFixture(script, over: wire, factor: 10)
    defer { server.stop() }
    let fresh = try server.talk()
    let talk = try server.talk()
    for _ in 0..<3 { #expect(talk.ask("GET", "/api/health")?.status == 200) }
    #expect(talk.endsCleanly())
    talk.socket.endSending()
    let ledger = try server.ledger { $0.connections.last?.end != nil }
    let connection = try #require(ledger.connections.last)
    #expect(connection.timedOut && connection.end == .closed)
    let answered = try #require(ledger.requests.last?.endedAt)
    #expect(try #require(connection.endedAt) - answered >= .seconds(1.5))
    // One that never had a request is waited for.
    #expect(fresh.ask("GET", "/api/health")?.status == 200)
  }

  @Test(arguments: Wire.allCases)
  func `what comes on a connection that the engine has left meets a reset`(wire: Wire) throws {
    let script = EngineScript(keepAlive: KeepAlive(timeout: .seconds(1)))
    let server = try ServerFixture(script, over: wire, factor: 20)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("GET", "/api/health")?.status == 200)
    #expect(talk.endsCleanly())
    let sent = talk.send("PUT", Self.path, Array(ServerFixture.record.utf8))
    let ledger = try server.ledger { $0.connections.last?.end != nil }
    #expect(ledger.connections.last?.end == .reset)
    #expect(ledger.requests.count == 1 && ledger.momentsStored == 0)
    #expect(ledger.received > sent)
    #expect(server.connectionCount == 0)
  }

  @Test func `it is reset when that is asked for`() throws {
    let script = EngineScript(keepAlive: KeepAlive(timeout: .seconds(1), close: .reset))
    let server = try ServerFixture(script, factor: 20)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("GET", "/api/health")?.status == 200)
    #expect(!talk.socket.receiveAll().cleanEnd)
  }

  /// Of a request that comes as the time is over either all is done or nothing, and the client
  /// knows which.
  @Test func `about the time that it is kept, a request is answered or not done`() throws {
    let script = EngineScript(keepAlive: KeepAlive(timeout: .seconds(1)))
    let server = try ServerFixture(script, factor: 50)
    defer { server.stop() }
    var answered = 0
    for round in 0..<60 {
      let talk = try server.talk()
      #expect(talk.ask("GET", "/api/health")?.status == 200)
      usleep(UInt32(19_500 + round * 17))
      let answer = talk.ask("PUT", "/files/\(round)", "abc")
      #expect(answer == nil || answer?.status == 201)
      answered += answer == nil ? 0 : 1
    }
    #expect(try server.ledger().files.count { $0.storedAt != nil } == answered)
  }

  @Test(arguments: Wire.allCases)
  func `a body that falls silent is answered, and its repeat is stored`(wire: Wire) throws {
    let rule = ScriptRule(
      when: RequestPattern(step: .copy),
      then: ScriptedDeed(at: .silence(.seconds(3)), .answer(.init(408))))
    let server = try ServerFixture(EngineScript(rules: [rule]), over: wire, factor: 20)
    defer { server.stop() }
    let body = seededBytes(50_000, seed: 7)
    let talk = try server.talk()
    #expect(talk.ask("PUT", Self.path, ServerFixture.record)?.status == 201)
    talk.send("PUT", "\(Self.path)/media/c1?role=copy", Array(body[..<20_000]), declared: 50_000)
    // Half of the silence, twice.
    for part in [body[20_000..<20_001], body[20_001..<20_002]] {
      usleep(75_000)
      talk.socket.send(Array(part))
    }
    #expect(talk.receive()?.status == 408)
    #expect(talk.endsCleanly())
    talk.socket.endSending()
    let request = try #require(try server.ledger().requests.last)
    #expect(request.bodyBytes == 20_002 && request.phase == .answer && !request.stored)
    let again = try server.talk()
    again.send("PUT", "\(Self.path)/media/c1?role=copy", body)
    #expect(again.receive()?.status == 201)
  }

  /// Woken for the connection that it keeps, the engine would read on before its time.
  @Test func `what it is woken for last takes the place of what was before`() throws {
    let rule = ScriptRule(
      when: RequestPattern(step: .copy), then: ScriptedDeed(at: .head, .stall(.seconds(4))))
    let script = EngineScript(keepAlive: KeepAlive(timeout: .seconds(1)), rules: [rule])
    let server = try ServerFixture(script, factor: 20)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", Self.path, ServerFixture.record)?.status == 201)
    #expect(talk.ask("PUT", "\(Self.path)/media/c1?role=copy", "abc")?.status == 201)
    let request = try #require(try server.ledger().requests.last)
    #expect(try #require(request.bodyEndedAt) - request.startedAt >= .seconds(4))
    #expect(talk.endsCleanly())
  }
}
