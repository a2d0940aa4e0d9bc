import Captures
import Foundation
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// What a client that behaves gets, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ServingTests {
  private let path = ServerFixture.path

  @Test func `a moment lives its whole life on one connection`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let copy = seededBytes(165_000, seed: 7)
    let original = seededBytes(431_000, seed: 8)

    #expect(talk.ask("GET", "/api/health")?.body == #"{"ok":true,"engine":"onebar"}"#)
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    for (name, role, bytes) in [("c1", "copy", copy), ("o1", "original", original)] {
      let target = "\(path)/media/\(name)?role=\(role)"
      let digest = sha256(of: bytes)
      for replayed in [false, true] {
        talk.send("PUT", target, bytes)
        let receipt =
          #"{"id":"\#(name)","bytes":\#(bytes.count),"sha256":"\#(digest)","#
          + #""replayed":\#(replayed)}"#
        #expect(talk.receive()?.body == receipt)
      }
    }
    #expect(talk.ask("POST", "\(path)/turns", ServerFixture.turn)?.status == 200)
    let record = try #require(talk.ask("GET", path)?.body)
    #expect(record.contains(sha256(of: copy)) && record.contains(sha256(of: original)))
    #expect(talk.ask("HEAD", "/api/health")?.body == "")
    #expect(talk.ask("GET", "/api/moments")?.status == 200)

    let ledger = try server.ledger()
    #expect(ledger.connections.count == 1)
    #expect(ledger.momentsStored == 1)
    #expect(ledger.duplicates == 0)
    #expect(ledger.files.map(\.replays) == [1, 1])
    #expect(ledger.split.useful == 596_000 && ledger.split.repeated == 596_000)
  }

  @Test func `a request in single bytes is the same request`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let request = Talk.request("PUT", path, Array(ServerFixture.record.utf8))
    for byte in request { talk.socket.send([byte]) }
    #expect(talk.receive()?.status == 201)
    #expect(try server.ledger().received == request.count)
  }

  @Test func `a body in chunks is the same body`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let record = ServerFixture.record
    talk.socket.send(
      Array(
        """
        PUT \(path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\
        \(String(record.utf8.count, radix: 16))\r\n\(record)\r\n0\r\n\r\n
        """.utf8))
    #expect(talk.receive()?.status == 201)
    #expect(try server.ledger().momentsStored == 1)
  }

  @Test func `pipelined requests are answered in their order, the slow one first`() throws {
    let turn = EngineScript(turnTakes: .seconds(12))
    let server = try ServerFixture(turn, factor: 60)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
    talk.socket.send(
      Talk.request("POST", "\(path)/turns", Array(ServerFixture.turn.utf8))
        + Talk.request("GET", "/nowhere") + Talk.request("GET", "/api/health")
        + Talk.request("HEAD", "/api/health") + Talk.request("GET", path))
    #expect(talk.receive()?.body.contains("I have read 3 bytes") == true)
    #expect(talk.receive()?.status == 404)
    #expect(talk.receive()?.body.contains("onebar") == true)
    #expect(talk.receive(to: "HEAD")?.status == 200)
    #expect(talk.receive()?.body.contains(ServerFixture.moment) == true)
    #expect(try server.ledger().connections.count == 1)
  }

  @Test func `a large body between two small requests on one connection stays whole`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let large = seededBytes(3_000_000, seed: 9)
    talk.socket.send(
      Talk.request("PUT", "/files/a", Array("one".utf8)) + Talk.request("PUT", "/files/b", large)
        + Talk.request("GET", "/files/a"))
    #expect(talk.receive()?.body.contains(#""id":"/files/a","bytes":3"#) == true)
    #expect(
      talk.receive()?.body.contains(
        #""id":"/files/b","bytes":3000000,"sha256":"\#(sha256(of: large))""#) == true)
    #expect(talk.receive()?.body == "one")
    #expect(try server.ledger().requests.map(\.status) == [201, 201, 200])
  }

  @Test func `an event stream is told what another connection stores`() throws {
    let script = EngineScript(turnTakes: .seconds(6), heartbeat: .seconds(12))
    let server = try ServerFixture(script, factor: 60)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    let listener = try server.talk()
    listener.send("GET", "\(path)/events")
    #expect(listener.reads(upTo: "event: record\n"))
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
    #expect(listener.reads(upTo: "event: media\n"))
    #expect(talk.ask("POST", "\(path)/turns", ServerFixture.turn)?.status == 200)
    #expect(listener.reads(upTo: "event: turn\n"))
    #expect(listener.reads(upTo: ": nothing new\n"))
    #expect(listener.reads(upTo: ": nothing new\n"))
    listener.socket.endSending()
    let ledger = try server.ledger { $0.requests[1].end != .open }
    #expect(ledger.requests[1].endedBy == .client)
  }

  @Test func `a form in chunks brings its files over a socket`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let form = "--b\r\nContent-Disposition: form-data; name=f\r\n\r\nabc\r\n--b--"
    talk.socket.send(
      Array(
        """
        POST /files/in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\
        Content-Type: multipart/form-data; boundary=b\r\n\r\n\
        \(String(form.utf8.count, radix: 16))\r\n\(form)\r\n0\r\n\r\n
        """.utf8))
    let receipt = try #require(talk.receive())
    #expect(receipt.status == 201)
    // Of "abc": FIPS 180-2, appendix B.1.
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(receipt.body.contains(#""name":"f","filename":null,"id":"/files/in/\#(digest)","#))
    let back = talk.ask("GET", "/files/in/\(digest)")
    #expect(back?.body == "abc")
    #expect(
      back?.fields["Repr-Digest"] == "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:")
  }

  @Test func `a turn is answered after its time, while nothing else happens`() throws {
    let server = try ServerFixture(EngineScript(turnTakes: .seconds(30)), factor: 60)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
    #expect(talk.ask("POST", "\(path)/turns", ServerFixture.turn)?.status == 200)
    let turn = try #require(try server.ledger().requests.last)
    let took = try #require(turn.endedAt) - (try #require(turn.bodyEndedAt))
    // Half a second of wall time; a busy machine may be late, and never early.
    #expect(took >= .seconds(30) && took < .seconds(120))
    // It is answered at once the second time.
    #expect(talk.ask("POST", "\(path)/turns", ServerFixture.turn)?.body.contains("true") == true)
  }

  @Test func `the script's refusal and delay come once, and the next attempt is stored`() throws {
    let script = EngineScript(rules: [
      ScriptRule(
        when: RequestPattern(step: .record, attempt: 1),
        then: .init(.answer(.init(503, headers: [HeaderLine(name: "Retry-After", value: "30")])))),
      ScriptRule(
        when: RequestPattern(step: .record, attempt: 2), then: .init(.delay(.seconds(18)))),
    ])
    let server = try ServerFixture(script, factor: 60)
    defer { server.stop() }
    let talk = try server.talk()
    let refused = try #require(talk.ask("PUT", path, ServerFixture.record))
    #expect(refused.status == 503)
    #expect(refused.fields["Retry-After"] == "30")
    #expect(refused.body.contains("scripted"))
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    let ledger = try server.ledger()
    #expect(ledger.momentsStored == 1)
    let last = try #require(ledger.requests.last)
    #expect(try #require(last.endedAt) - (try #require(last.bodyEndedAt)) >= .seconds(18))
  }

  @Test func `a client that waits for 100 is told to go on, or told no at once`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let body = Array(ServerFixture.record.utf8)
    let expect = ["Expect: 100-continue"]
    talk.send("PUT", path, [], expect, declared: body.count)
    #expect(talk.receive()?.status == 100)
    talk.socket.send(body)
    #expect(talk.receive()?.status == 201)
    talk.send("PUT", "/nowhere", [], expect, declared: 10)
    #expect(talk.receive()?.status == 404)
    #expect(talk.endsCleanly())
  }

  @Test func `a name that is not this machine's is refused, and the connection stays`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    talk.send("GET", "/api/health", host: "evil.example")
    let refused = try #require(talk.receive())
    #expect(refused.status == 421)
    #expect(refused.body.contains("foreign_host"))
    #expect(talk.ask("GET", "/api/health")?.status == 200)
  }

  @Test func `a client that reads slowly gets a large answer whole`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let bytes = seededBytes(12_000_000, seed: 7)
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    talk.send("PUT", "\(path)/media/o1?role=original", bytes)
    #expect(talk.receive()?.status == 201)

    let slow = try server.talk()
    slow.send("GET", "\(path)/media/o1", [], ["Connection: close"])
    // Long enough for the kernel to be full; another client is served meanwhile.
    usleep(100_000)
    #expect(talk.ask("GET", "/api/health")?.status == 200)
    var received: [UInt8] = []
    while let part = slow.socket.receive(upTo: 300_000), !part.isEmpty {
      received += part
      usleep(1_000)
    }
    #expect(received.suffix(bytes.count).elementsEqual(bytes))
    let sent = try server.ledger().connections.last?.sent
    #expect(sent == received.count)
  }

  @Test func `what is sent before a half close is answered`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    talk.socket.send(Talk.request("GET", "/api/health") + Talk.request("PUT", path, [1]))
    talk.socket.endSending()
    #expect(talk.receive()?.status == 200)
    #expect(talk.receive()?.status == 400)
    #expect(talk.endsCleanly())
    let ledger = try server.ledger { $0.connections.first?.end != nil }
    #expect(ledger.connections.map(\.end) == [.closed])
  }
}
