import Captures
import Quantities
import ScratchEngine
import Testing

/// A connection of the engine in bytes: what comes in, and what its shell is told to do.
struct ConnectionTests {
  private static let health = Array("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  private func engine(_ script: EngineScript = EngineScript()) -> Engine {
    Engine(script: script) { StandInDigest() }
  }

  private func text(_ actions: [EngineConnection.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(let bytes): "send \(String(decoding: bytes.prefix(12), as: UTF8.self))"
      case .wake(let instant): "wake at \(instant.seconds)"
      case .endSending: "end sending"
      case .close: "close"
      case .reset: "reset"
      }
    }
  }

  @Test func `a request that waits behind another is answered once that one's answer is out`() {
    var engine = engine()
    var connection = EngineConnection(in: &engine, at: .zero)
    let first = connection.received(Self.health + Self.health, in: &engine, at: .zero)
    #expect(text(first) == ["send HTTP/1.1 200"])
    #expect(!connection.reads)
    #expect(text(connection.sent(in: &engine, at: .zero)) == ["send HTTP/1.1 200"])
    #expect(text(connection.sent(in: &engine, at: .zero)) == [])
    #expect(connection.reads)
    #expect(engine.ledger.requests.map(\.status) == [200, 200])
  }

  @Test func `an answer for later is sent when its shell wakes it`() {
    let record = "{}"
    let rule = ScriptRule(when: RequestPattern(step: .record), then: .init(.delay(.seconds(3))))
    var engine = engine(EngineScript(rules: [rule]))
    var connection = EngineConnection(in: &engine, at: .zero)
    let head =
      "PUT /api/moments/\(Talk.moment) HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(record.utf8.count)\r\n\r\n"
    let actions = connection.received(
      Array((head + record).utf8), in: &engine, at: Instant(seconds: 1))
    #expect(text(actions) == ["wake at 4.0"])
    #expect(!connection.reads)
    let woken = connection.woken(in: &engine, at: Instant(seconds: 4))
    #expect(woken.count == 1)
    #expect(text(connection.woken(in: &engine, at: Instant(seconds: 5))) == [])
  }

  @Test func `behind an early answer the rest of the body is read, for a while`() {
    var engine = engine()
    var connection = EngineConnection(in: &engine, at: .zero)
    let head =
      "PUT /api/moments/\(Talk.moment)/media/m1?role=copy HTTP/1.1\r\nHost: localhost\r\n"
      + "Content-Length: 5000000\r\n\r\n"
    let early = connection.received(Array(head.utf8), in: &engine, at: .zero)
    #expect(text(early) == ["send HTTP/1.1 404"])
    #expect(text(connection.sent(in: &engine, at: .zero)) == ["end sending", "wake at 30.0"])
    #expect(connection.reads)
    let part = [UInt8](repeating: 0, count: 4_000_000)
    #expect(connection.received(part, in: &engine, at: .zero) == [])
    #expect(engine.ledger.requests[0].bodyBytes == 4_000_000)
    let rest = [UInt8](repeating: 0, count: 1_000_000)
    #expect(connection.received(rest, in: &engine, at: .zero) == [])
    // It is the client's turn to end, and is waited for until then.
    #expect(connection.woken(in: &engine, at: Instant(seconds: 30)) == [.close])
    #expect(!connection.reads)
  }

  @Test func `bytes that are no request are answered and closed behind`() {
    var engine = engine()
    var connection = EngineConnection(in: &engine, at: .zero)
    let actions = connection.received(Array("nonsense\r\n\r\n".utf8), in: &engine, at: .zero)
    #expect(text(actions) == ["send HTTP/1.1 400"])
    #expect(text(connection.sent(in: &engine, at: .zero)).first == "end sending")
    connection.ended(.reset, in: &engine, at: .zero)
    #expect(engine.ledger.connections[0].end == .reset)
    #expect(!connection.reads)
  }
}
