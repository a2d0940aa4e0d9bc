import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct EventTests {
  private static let path = "/api/moments/\(Talk.moment)"
  private static let turn = #"{"request_id":"t1","media_id":"c1"}"#

  private func exchange(
    _ script: EngineScript = EngineScript(turnTakes: .seconds(5), heartbeat: .seconds(20)),
    limits: EngineLimits = EngineLimits()
  ) -> Exchange {
    var exchange = Exchange(Engine(script: script, limits: limits) { StandInDigest() })
    let writer = exchange.open()
    put(&exchange, "PUT", Self.path, Talk.record, on: writer)
    return exchange
  }

  /// A request with a body, on the connection that keeps being used for them.
  private func put(
    _ exchange: inout Exchange, _ method: String, _ target: String, _ body: String,
    on place: Int = 0
  ) {
    exchange.receive(
      "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)"
        + "\r\n\r\n\(body)", on: place)
  }

  private func listen(
    _ exchange: inout Exchange, _ version: String = "HTTP/1.1", after last: String? = nil
  ) -> Int {
    let place = exchange.open()
    let resume = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    exchange.receive(
      "GET \(Self.path)/events \(version)\r\nHost: localhost\r\n\(resume)\r\n", on: place)
    return place
  }

  private func chunk(_ text: String) -> String {
    "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
  }

  private func event(_ number: Int, _ kind: String, _ id: String) -> String {
    "id: \(number)\nevent: \(kind)\ndata: "
      + #"{"moment":"\#(Talk.moment)","id":"\#(id)"}"# + "\n\n"
  }

  @Test func `a stream tells what happens while it happens`() {
    var exchange = exchange()
    let stream = listen(&exchange)
    #expect(
      exchange.take(stream)
        == "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n" + chunk(event(1, "record", "e1")))
    put(&exchange, "PUT", "\(Self.path)/media/c1?role=copy", "copy")
    #expect(exchange.take(stream) == chunk(event(2, "media", "c1")))
    put(&exchange, "PUT", "\(Self.path)/media/c1?role=copy", "copy")
    #expect(exchange.take(stream) == "")

    // The turn's answer exists later; what is stored meanwhile comes before it.
    put(&exchange, "POST", "\(Self.path)/turns", Self.turn)
    #expect(exchange.take(stream) == "")
    let other = exchange.open()
    exchange.pass(to: Instant(seconds: 2))
    put(&exchange, "PUT", "\(Self.path)/media/d1?role=document", "paper", on: other)
    put(
      &exchange, "POST", "\(Self.path)/text", #"{"request_id":"x1","media_id":"d1"}"#, on: other)
    #expect(
      exchange.take(stream) == chunk(event(3, "media", "d1")) + chunk(event(4, "text", "x1")))
    exchange.pass(to: Instant(seconds: 4.9))
    #expect(exchange.take(stream) == "")
    exchange.pass(to: Instant(seconds: 5))
    #expect(exchange.take(stream) == chunk(event(5, "turn", "t1")))
  }

  @Test func `a quiet stream shows that it is alive`() {
    var exchange = exchange()
    let stream = listen(&exchange)
    _ = exchange.take(stream)
    exchange.pass(to: Instant(seconds: 19.9))
    #expect(exchange.take(stream) == "")
    exchange.pass(to: Instant(seconds: 60))
    let beat = chunk(": nothing new\n\n")
    #expect(exchange.take(stream) == beat + beat + beat)
    #expect(exchange.engine.ledger.requests.last?.end == .open)
    #expect(exchange.seesEnd(stream))
    exchange.end(stream)
    #expect(exchange.engine.ledger.requests.last?.end == .closed)
    #expect(exchange.engine.ledger.requests.last?.endedBy == .client)
  }

  @Test(arguments: [("0", [1, 2]), ("1", [2]), ("2", []), ("9", [])])
  func `a stream goes on behind the event that a client has seen`(_ last: String, _ told: [Int]) {
    var exchange = exchange()
    put(&exchange, "PUT", "\(Self.path)/media/c1?role=copy", "copy")
    let stream = listen(&exchange, after: last)
    let text = exchange.take(stream)
    #expect([1, 2].filter { text.contains("id: \($0)\n") } == told)
    put(&exchange, "PUT", "\(Self.path)/media/o1?role=original", "original")
    #expect(exchange.take(stream) == chunk(event(3, "media", "o1")))
  }

  @Test(arguments: ["HTTP/1.0", "HTTP/1.1"])
  func `a stream ends in order at its longest time`(_ version: String) {
    var limits = EngineLimits()
    limits.streamTime = .seconds(30)
    var exchange = exchange(limits: limits)
    let stream = listen(&exchange, version)
    let head = exchange.take(stream)
    #expect(head.contains("Transfer-Encoding") == (version == "HTTP/1.1"))
    #expect(head.contains("Connection: close") == (version == "HTTP/1.0"))
    exchange.pass(to: Instant(seconds: 30))
    let rest = exchange.take(stream)
    #expect(
      rest
        == (version == "HTTP/1.1" ? chunk(": nothing new\n\n") + "0\r\n\r\n" : ": nothing new\n\n")
    )
    #expect(exchange.isClosed[stream] == (version == "HTTP/1.0"))
    #expect(exchange.engine.ledger.requests.last?.status == 200)
    guard version == "HTTP/1.1" else { return }
    exchange.receive("GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n", on: stream)
    #expect(exchange.take(stream).hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `a client that does not read is given the rest when it does, so many at once`() {
    var limits = EngineLimits()
    limits.eventsAtOnce = 2
    var exchange = exchange(limits: limits)
    let stream = listen(&exchange)
    _ = exchange.take(stream)
    exchange.stuck = [stream]
    for number in 1...6 {
      put(&exchange, "PUT", "\(Self.path)/media/o\(number)?role=original", "o\(number)")
    }
    #expect(exchange.take(stream) == chunk(event(2, "media", "o1")))
    exchange.release(stream)
    #expect(
      exchange.take(stream)
        == chunk(event(3, "media", "o2") + event(4, "media", "o3"))
        + chunk(event(5, "media", "o4") + event(6, "media", "o5"))
        + chunk(event(7, "media", "o6")))
  }

  @Test func `streams have a limit, and one that ends makes room`() {
    var limits = EngineLimits()
    limits.streams = 1
    var exchange = exchange(limits: limits)
    let first = listen(&exchange)
    let second = listen(&exchange)
    #expect(exchange.take(second).contains(#""code":"too_many_streams""#))
    exchange.end(first)
    let third = listen(&exchange)
    #expect(exchange.take(third).hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func `only the head of a stream is given to HEAD, and the connection stays`() {
    var exchange = exchange()
    let place = exchange.open()
    let ask = "HEAD \(Self.path)/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    exchange.receive(ask + ask, on: place)
    let text = exchange.take(place)
    #expect(text.ranges(of: "HTTP/1.1 200 OK").count == 2)
    #expect(!text.contains("event:"))
  }

  @Test(arguments: [
    ("/api/moments/01J8Z0000000000000000000ZZ/events", "", "unknown_moment"),
    ("\(path)/events", "Last-Event-ID: x\r\n", "bad_event_id"),
  ])
  func `a stream of nothing is refused`(_ target: String, _ field: String, _ code: String) {
    var exchange = exchange()
    let place = exchange.open()
    exchange.receive("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n", on: place)
    #expect(exchange.take(place).contains(#""code":"\#(code)""#))
  }

  @Test func `the script acts within a stream, wherever its bytes fall`() {
    for bytes in 1..<400 {
      let rule = ScriptRule(
        when: RequestPattern(path: "*/events"),
        then: ScriptedDeed(at: .answer(bytes), .close(.reset)))
      var exchange = exchange(EngineScript(rules: [rule]))
      let stream = listen(&exchange)
      for number in 1...3 {
        put(&exchange, "PUT", "\(Self.path)/media/o\(number)?role=original", "o\(number)")
      }
      #expect(exchange.take(stream).utf8.count == bytes)
      #expect(exchange.isClosed[stream])
      #expect(exchange.engine.ledger.requests[1].endedBy == .script)
    }
  }

  @Test func `the script holds the rest of a stream back`() {
    let rule = ScriptRule(
      when: RequestPattern(path: "*/events"),
      then: ScriptedDeed(at: .answer(20), .delay(.seconds(3))))
    var exchange = exchange(EngineScript(rules: [rule]))
    let stream = listen(&exchange)
    put(&exchange, "PUT", "\(Self.path)/media/o1?role=original", "o1")
    #expect(exchange.take(stream).utf8.count == 20)
    exchange.pass(to: Instant(seconds: 3))
    #expect(
      exchange.take(stream).hasSuffix(chunk(event(1, "record", "e1") + event(2, "media", "o1"))))
  }
}
