import Captures
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// What the script does to a connection before anything of it is read.
struct ConnectPhaseTests {
  private static let health = "GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"

  private func exchange(
    _ action: ScriptAction, _ when: RequestPattern = RequestPattern(connection: 1),
    times: Int? = nil
  ) -> Exchange {
    let rule = ScriptRule(when: when, times: times, then: .init(at: .connect, action))
    return Exchange(Engine(script: EngineScript(rules: [rule])) { StandInDigest() })
  }

  @Test(arguments: ScriptMatrix(bytes: 1, time: .seconds(4)).deeds.filter { $0.at == .connect })
  func `what makes sense there comes before the first byte, and the ledger says so`(
    deed: ScriptedDeed
  ) {
    var exchange = exchange(deed.action)
    let first = exchange.open()
    if !deed.isReset { exchange.receive(Self.health, on: first) }
    #expect(exchange.take(first) == "")
    exchange.pass(to: Instant(seconds: 10))
    #expect(exchange.take(first).hasPrefix("HTTP/1.1 200") == deed.action.isSlow)
    #expect(exchange.isClosed[first] == (deed == .init(at: .connect, .close(.end)) || deed.isReset))

    let ledger = exchange.engine.ledger
    #expect(ledger.connections[0].rule == 0)
    #expect(ledger.connections[0].received == (deed.isReset ? 0 : Self.health.utf8.count))
    #expect(ledger.requests.map(\.startedAt) == (deed.action.isSlow ? [Instant(seconds: 4)] : []))
    #expect(ledger.connections[0].end == (deed.isReset ? .reset : nil))

    let second = exchange.open()
    exchange.receive(Self.health, on: second)
    #expect(exchange.take(second).hasPrefix("HTTP/1.1 200"))
    #expect(exchange.engine.ledger.connections[1].rule == nil)
  }

  @Test func `a connection that was ended in order is read over, and ends with its client`() {
    var exchange = exchange(.close(.end))
    let place = exchange.open()
    #expect(exchange.isClosed[place])
    exchange.receive("no request at all\r\n\r\n", on: place)
    exchange.pass(to: Instant(seconds: 30))
    let ledger = exchange.engine.ledger
    #expect(ledger.requests.isEmpty && ledger.connections[0].fault == nil)
    #expect(ledger.connections[0].endedAt == Instant(seconds: 30))
  }

  @Test func `a rule chooses connections by number, time and how often, and no requests`() {
    func ruled(_ when: RequestPattern, times: Int? = nil) -> [Int] {
      var exchange = exchange(.stall(.seconds(1)), when, times: times)
      for second in 0..<4 {
        exchange.pass(to: Instant(seconds: Double(second * 10)))
        let place = exchange.open()
        exchange.receive(Self.health, on: place)
      }
      #expect(exchange.engine.ledger.requests.allSatisfy { $0.rule == nil })
      return exchange.engine.ledger.connections.indices.filter {
        exchange.engine.ledger.connections[$0].rule == 0
      }
    }
    #expect(ruled(RequestPattern()) == [0, 1, 2, 3])
    #expect(ruled(RequestPattern(), times: 2) == [0, 1])
    #expect(ruled(RequestPattern(connection: 3)) == [2])
    #expect(
      ruled(RequestPattern(from: Instant(seconds: 10), until: Instant(seconds: 30))) == [1, 2])
    #expect(ruled(RequestPattern(chance: 0)) == [])
  }

  @Test func `a rule for requests takes no connection away from one for connections`() {
    let rules = [
      ScriptRule(when: RequestPattern(), then: .init(.answer(.init(503)))),
      ScriptRule(when: RequestPattern(), then: .init(at: .connect, .delay(.seconds(2)))),
    ]
    var exchange = Exchange(Engine(script: EngineScript(rules: rules)) { StandInDigest() })
    let place = exchange.open()
    exchange.receive(Self.health, on: place)
    exchange.pass(to: Instant(seconds: 2))
    #expect(exchange.take(place).hasPrefix("HTTP/1.1 503"))
    #expect(exchange.engine.ledger.connections[0].rule == 1)
    #expect(exchange.engine.ledger.requests[0].rule == 0)
  }
}

extension ScriptedDeed {
  fileprivate var isReset: Bool {
    if case .close(.reset) = action { true } else { false }
  }
}
