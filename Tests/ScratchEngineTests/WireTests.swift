import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

/// A connection without a socket, whose shell takes every byte and waits for nothing.
struct Wire {
  var engine: Engine
  var now = Instant.zero
  private var connection: EngineConnection
  private(set) var sent: [UInt8] = []
  private(set) var isClosed = false

  init(_ engine: Engine) {
    self.engine = engine
    connection = EngineConnection(in: &self.engine, at: .zero)
  }

  mutating func receive(_ bytes: [UInt8]) {
    engine.wireReceived(bytes.count, on: connection.id)
    perform(connection.received(bytes, in: &engine, at: now))
  }

  mutating func end(_ how: ConnectionEnd) {
    connection.ended(how, in: &engine, at: now)
  }

  private mutating func perform(_ actions: [EngineConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let bytes):
        sent += bytes
        engine.wireSent(bytes.count, on: connection.id)
        perform(connection.sent(in: &engine, at: now))
      case .wake(let instant):
        guard !isClosed else { break }
        now = max(now, instant)
        perform(connection.woken(in: &engine, at: now))
      case .endSending, .close, .reset: isClosed = true
      }
    }
  }
}

struct WireTests {
  private static let host = "Host: 127.0.0.1\r\n"
  private static let record =
    "PUT /api/moments/\(Talk.moment) HTTP/1.1\r\n\(host)"
    + "Content-Length: \(Talk.record.utf8.count)\r\n\r\n" + Talk.record
  private static let media =
    "PUT /api/moments/\(Talk.moment)/media/c1?role=copy HTTP/1.1\r\n\(host)"
    + "Content-Length: 20\r\nExpect: 100-continue\r\n\r\n" + "01234567890123456789"
  private static let chunkedMedia =
    "PUT /api/moments/\(Talk.moment)/media/c1?role=copy HTTP/1.1\r\n\(host)"
    + "Transfer-Encoding: chunked\r\n\r\n" + "8\r\n01234567\r\nC\r\n890123456789\r\n0\r\n\r\n"
  private static let turnBody = #"{"request_id":"t1","media_id":"c1"}"#
  private static let turn =
    "POST /api/moments/\(Talk.moment)/turns HTTP/1.1\r\n\(host)"
    + "Content-Length: \(turnBody.utf8.count)\r\n\r\n" + turnBody
  private static let readback =
    "GET /api/moments/\(Talk.moment) HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"

  private func engine() -> Engine {
    Engine(script: EngineScript(turnTakes: .seconds(5))) { StandInDigest() }
  }

  @Test func `a whole upload over one connection reads the same byte by byte`() {
    let all = Array((Self.record + Self.media + Self.turn + Self.readback).utf8)
    var whole = Wire(engine())
    whole.receive(all)
    var pieces = Wire(engine())
    for byte in all { pieces.receive([byte]) }
    #expect(pieces.sent == whole.sent)
    #expect(whole.isClosed)

    let text = String(decoding: whole.sent, as: UTF8.self)
    let statuses = text.ranges(of: "HTTP/1.1 ").map { text[$0.upperBound...].prefix(3) }
    #expect(statuses == ["201", "100", "201", "200", "200"])
    let ledger = whole.engine.ledger
    #expect(ledger.requests.map(\.step) == [.record, .copy, .turn, .readback])
    #expect(ledger.requests.allSatisfy { $0.end == .answered })
    #expect(ledger.received == all.count)
    #expect(ledger.split.useful == 20)
    #expect(ledger.split.overhead == all.count - 20)
    #expect(whole.now == Instant(seconds: 5))
  }

  @Test(arguments: [media, chunkedMedia])
  func `a file that is cut at any byte and repeated is stored once`(_ put: String) {
    let bytes = Array(put.utf8)
    var first = Wire(engine())
    first.receive(Array(Self.record.utf8))
    first.end(.closed)
    for cut in 0...bytes.count {
      var wire = Wire(first.engine)
      wire.receive(Array(bytes[..<cut]))
      wire.end(.reset)
      let stored = cut == bytes.count
      var again = Wire(wire.engine)
      again.receive(bytes)
      again.end(.closed)

      let ledger = again.engine.ledger
      let text = String(decoding: again.sent, as: UTF8.self)
      #expect(text.contains(stored ? #""replayed":true"# : #""replayed":false"#))
      #expect(ledger.files.map(\.storedBytes) == [20])
      #expect(ledger.duplicates == 0)
      #expect(ledger.split.useful == 20)
      #expect(ledger.split.repeated == (stored ? 20 : 0))
      #expect(
        ledger.split.useful + ledger.split.repeated + ledger.split.abandoned
          == ledger.wireBytes(.copy))
      #expect(ledger.split.overhead > 0)
    }
  }
}
