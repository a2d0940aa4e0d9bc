import Captures
import Foundation
import Quantities
import ScratchEngine
import Testing

/// How long connections are kept, in bytes and acts.
struct KeepAliveTests {
  private static let late = Instant(seconds: 1_000)

  private func exchange(
    _ keepAlive: KeepAlive, turn: Duration = .zero, rules: [ScriptRule] = []
  ) -> Exchange {
    Exchange(
      Engine(script: EngineScript(turnTakes: turn, keepAlive: keepAlive, rules: rules)) {
        StandInDigest()
      })
  }

  @Test(arguments: [Duration.milliseconds(1), .milliseconds(900), .seconds(1), .seconds(75)])
  func `a kept connection that brings no request in time ends, to the instant`(
    timeout: Duration
  ) {
    var talk = exchange(KeepAlive(timeout: timeout))
    let place = talk.open()
    talk.pass(to: Instant(seconds: 2))
    talk.receive(Spoken.health, on: place)
    #expect(talk.takeActs(place) == "200@2.0")
    let end = Instant(seconds: 2) + timeout
    talk.pass(to: end + .nanoseconds(-1))
    #expect(talk.takeActs(place) == "")
    talk.pass(to: end)
    #expect(talk.takeActs(place) == "fin@\(end.seconds)")
    talk.pass(to: Self.late)
    #expect(talk.takeActs(place) == "close@\((end + .seconds(30)).seconds)")
    let connection = talk.engine.ledger.connections[0]
    #expect(connection.timedOut && connection.end == .closed)
  }

  @Test func `each answer moves the time, and so does the end of one that took long`() {
    var talk = exchange(KeepAlive(timeout: .seconds(1)), turn: .seconds(5))
    let place = talk.open()
    talk.receive(Spoken.record, on: place)
    talk.receive(Spoken.put(Spoken.copyTarget, "abc"), on: place)
    let turn = #"{"request_id":"t1","media_id":"c1"}"#
    talk.receive(
      Spoken.head("POST", "/api/moments/\(Talk.moment)/turns", declared: turn.utf8.count) + turn,
      on: place)
    for tenth in 50..<60 { talk.pass(to: Instant(seconds: Double(tenth) / 10)) }
    talk.receive(Spoken.health, on: place)
    talk.pass(to: Self.late)
    #expect(
      talk.takeActs(place) == "201@0.0 201@0.0 200@5.0 200@5.9 fin@6.9 close@36.9")
  }

  @Test func `a connection without a request, and one whose request has begun, are waited for`() {
    var talk = exchange(KeepAlive(timeout: .seconds(1)))
    let fresh = talk.open()
    let begun = (1...3).map { _ in talk.open() }
    for place in begun { talk.receive(Spoken.health, on: place) }
    // In the first line, behind it, and in the body.
    for (place, text) in zip(
      begun, ["G", "GET / HTTP/1.1\r\n", Spoken.head("PUT", "/files/a", declared: 5) + "ab"])
    {
      talk.receive(text, on: place)
    }
    talk.pass(to: Self.late)
    #expect(talk.isClosed == [false, false, false, false])
    talk.receive("cde", on: begun[2])
    #expect(talk.takeActs(begun[2]) == "200@0.0 201@1000.0")
    #expect(talk.takeActs(fresh) == "")
  }

  @Test func `an empty line is no byte of a request`() {
    var talk = exchange(KeepAlive(timeout: .seconds(1)))
    let place = talk.open()
    talk.receive(Spoken.health, on: place)
    talk.pass(to: Instant(seconds: 0.5))
    talk.receive("\r\n", on: place)
    talk.pass(to: Instant(seconds: 2))
    #expect(talk.takeActs(place) == "200@0.0 fin@1.0")
  }

  @Test func `an event stream is no kept connection`() {
    var talk = exchange(KeepAlive(timeout: .seconds(1)))
    let place = talk.open()
    talk.receive(Spoken.record, on: place)
    talk.receive(
      "GET /api/moments/\(Talk.moment)/events HTTP/1.1\r\nHost: localhost\r\n\r\n", on: place)
    talk.pass(to: Instant(seconds: 100))
    #expect(!talk.isClosed[place])
  }

  @Test func `a request that comes just too late meets a reset, and nothing of it is done`() {
    var talk = exchange(KeepAlive(timeout: .seconds(1)))
    let place = talk.open()
    talk.receive(Spoken.health, on: place)
    talk.pass(to: Instant(seconds: 1.1))
    talk.receive(Spoken.record, on: place)
    #expect(talk.takeActs(place) == "200@0.0 fin@1.0 reset@1.1")
    let ledger = talk.engine.ledger
    #expect(ledger.requests.count == 1 && ledger.momentsStored == 0)
    #expect(ledger.connections[0].end == .reset)
    #expect(ledger.received == Spoken.health.utf8.count + Spoken.record.utf8.count)
    // The same request, on another connection.
    let other = talk.open()
    talk.receive(Spoken.record, on: other)
    #expect(talk.takeActs(other) == "201@1.1")
  }

  @Test(arguments: [(ScriptedClose.reset, "reset@1.0"), (.silence, "")])
  func `it ends in another way when that is asked for`(way: ScriptedClose, acts: String) {
    var talk = exchange(KeepAlive(timeout: .seconds(1), close: way))
    let place = talk.open()
    talk.receive(Spoken.health, on: place)
    _ = talk.takeActs(place)
    talk.pass(to: Self.late)
    #expect(talk.takeActs(place) == acts)
    #expect(talk.engine.ledger.connections[0].timedOut)
    #expect(talk.engine.ledger.connections[0].end == (way == .reset ? .reset : nil))
    if way == .silence {
      #expect(talk.seesEnd(place))
      talk.end(place)
      #expect(talk.engine.ledger.connections[0].end == .closed)
    }
  }

  @Test func `the answer to the last request that a connection may carry closes it`() {
    var talk = exchange(KeepAlive(requests: 2))
    let place = talk.open()
    talk.receive(Spoken.health + Spoken.health + Spoken.record, on: place)
    talk.pass(to: Self.late)
    #expect(talk.takeActs(place) == "200@0.0 200@0.0 fin@0.0 close@30.0")
    let heads = talk.take(place).components(separatedBy: "HTTP/1.1 200")
    #expect(!heads[1].contains("Connection") && heads[2].contains("\r\nConnection: close\r\n"))
    #expect(talk.engine.ledger.requests.count == 2)
  }

  /// Woken for the connection that it keeps, it would go on before its time.
  @Test func `what the script asks to be woken for takes the place of the kept time`() {
    let rule = ScriptRule(
      when: RequestPattern(step: .copy), then: ScriptedDeed(at: .head, .stall(.seconds(4))))
    var talk = exchange(KeepAlive(timeout: .seconds(1)), rules: [rule])
    let place = talk.open()
    talk.receive(Spoken.record, on: place)
    talk.pass(to: Instant(seconds: 0.5))
    talk.receive(Spoken.put(Spoken.copyTarget, "abc"), on: place)
    talk.pass(to: Self.late)
    #expect(talk.takeActs(place) == "201@0.0 201@4.5 fin@5.5 close@35.5")
  }
}
