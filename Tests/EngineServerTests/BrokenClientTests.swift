import CLinux
import Foundation
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// What clients that break off, or never made sense, leave behind.
@Suite(.timeLimit(.minutes(1)))
struct BrokenClientTests {
  private let path = ServerFixture.path

  @Test func `a refusal reaches a client that is still sending, and then the connection ends`()
    throws
  {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    // More than the kernels of both ends hold.
    let part = [UInt8](repeating: 1, count: 20_000_000)
    talk.send("PUT", "\(path)/media/o1?role=original", [], declared: 100_000_000)
    #expect(talk.socket.send(part))
    let answer = try #require(talk.receive())
    #expect(answer.status == 413)
    #expect(answer.fields["Connection"] == "close")
    #expect(talk.socket.send(part))
    talk.socket.endSending()
    #expect(talk.endsCleanly())
    let ledger = try server.ledger { $0.connections.first?.end != nil }
    let request = try #require(ledger.requests.last)
    #expect(request.status == 413)
    #expect(request.bodyBytes == 2 * part.count)
    #expect(ledger.connections.first?.end == .closed)
  }

  /// The server is kept busy until the reset is there: what came before it still counts.
  @Test func `a reset in mid-body is listed, with every byte that had arrived`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let body = seededBytes(400_000, seed: 7)
    let target = "\(path)/media/o1?role=original"
    let first = try server.talk()
    #expect(first.ask("PUT", path, ServerFixture.record)?.status == 201)
    let before = try server.ledger().received

    let free = Slot<Bool>()
    let held = server.hold(until: free)
    var cut: Talk? = try server.talk()
    let head = Talk.request("PUT", target, declared: body.count)
    cut?.socket.send(head + body[..<30_000])
    let descriptor = try #require(cut?.socket.descriptor)
    #expect(eventually { CLinux_unacknowledged(descriptor) == 0 })
    cut?.socket.resetOnClose()
    cut = nil
    usleep(20_000)
    free.fill(true)
    #expect(held.wait() == true)

    let ledger = try server.ledger { $0.requests.last?.end != .open && $0.requests.count == 2 }
    let request = try #require(ledger.requests.last)
    #expect(request.end == .reset)
    #expect(request.bodyBytes == 30_000)
    #expect(ledger.received - before == head.count + 30_000)
    #expect(ledger.connections.last?.end == .reset)

    first.send("PUT", target, body)
    #expect(first.receive()?.status == 201)
    let after = try server.ledger()
    #expect(after.files.map(\.attempts) == [2])
    #expect(after.duplicates == 0)
    #expect(after.split.abandoned == 30_000 && after.split.useful == body.count)
  }

  @Test func `an end in mid-body is listed as a close, and nothing is stored`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    talk.send("PUT", "\(path)/media/c1?role=copy", [1, 2, 3], declared: 10)
    talk.socket.endSending()
    #expect(talk.endsCleanly())
    let request = try #require(try server.ledger().requests.last)
    #expect(request.end == .closed)
    #expect(request.bodyBytes == 3)
    #expect(try server.talk().ask("GET", "\(path)/media/c1")?.status == 404)
  }

  @Test func `a client that goes while its turn is awaited leaves the turn`() throws {
    let server = try ServerFixture(EngineScript(turnTakes: .seconds(600)), factor: 60)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    #expect(talk.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
    var other: Talk? = try server.talk()
    other?.send("POST", "\(path)/turns", Array(ServerFixture.turn.utf8))
    _ = try server.ledger { $0.requests.last?.decidedStatus == 200 }
    other?.socket.resetOnClose()
    other = nil
    let ledger = try server.ledger { $0.requests.last?.end == .reset }
    #expect(ledger.requests.last?.end == .reset)
    #expect(talk.ask("GET", path)?.body.contains(#""request_id":"t1""#) == true)
  }

  @Test func `a reset while the answer goes out ends that connection only`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    talk.send("PUT", "\(path)/media/o1?role=original", seededBytes(12_000_000, seed: 7))
    #expect(talk.receive()?.status == 201)
    for _ in 0..<20 {
      let reader = try server.talk()
      reader.send("GET", "\(path)/media/o1")
      #expect(reader.socket.receive()?.isEmpty == false)
      reader.socket.resetOnClose()
    }
    let ledger = try server.ledger { $0.connections.dropFirst().allSatisfy { $0.end != nil } }
    #expect(ledger.connections.dropFirst().map(\.end) == Array(repeating: .reset, count: 20))
    #expect(ledger.requests.suffix(20).allSatisfy { $0.end == .reset })
    #expect(talk.ask("GET", "/api/health")?.status == 200)
  }

  @Test(arguments: [
    ("GET /\r\n", 400), ("GET / HTTP/3.0\r\n", 505), ("GET / HTTP/1.1\r\nHost : x\r\n", 400),
    ("GET / HTTP/1.1\nHost: x\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n", 414),
    ("GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 9_000))\r\n", 431),
  ])
  func `bytes that make no request get their status whole, and a close`(
    bytes: String, status: Int
  ) throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    // A head before it must not be taken for its own: the answer to HEAD has no body.
    #expect(talk.ask("HEAD", "/api/health")?.status == 200)
    // What follows would turn a hasty close into a reset that takes the answer away.
    talk.socket.send(Array(bytes.utf8) + [UInt8](repeating: 0x61, count: 300_000))
    let answer = try #require(talk.receive())
    #expect(answer.status == status)
    #expect(answer.fields["Connection"] == "close")
    #expect(answer.body.contains("bad_request"))
    talk.socket.send([UInt8](repeating: 0x61, count: 300_000))
    talk.socket.endSending()
    #expect(talk.endsCleanly())
    let ledger = try server.ledger { $0.connections.first?.end != nil }
    #expect(ledger.connections.first?.end == .closed)
    #expect(ledger.connections.first?.fault != nil)
    #expect(ledger.requests.count == 1)
    #expect(ledger.received > bytes.utf8.count + 600_000)
  }

  @Test func `a body that goes wrong gets its status, and the rest is read over`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    let head = "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    talk.socket.send(Array("\(head)2\r\nabX".utf8) + [UInt8](repeating: 0x61, count: 300_000))
    #expect(talk.receive()?.status == 400)
    talk.socket.endSending()
    #expect(talk.endsCleanly())
    #expect(try server.ledger().requests.map(\.status) == [400])
  }

  @Test func `requests behind one that closes are read over, and not done`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    let talk = try server.talk()
    talk.socket.send(
      Talk.request("GET", "/api/health", [], ["Connection: close"])
        + Talk.request("PUT", path, Array(ServerFixture.record.utf8)))
    #expect(talk.receive()?.status == 200)
    #expect(talk.endsCleanly())
    #expect(try server.ledger().requests.count == 1)
  }

  /// The other tests of this process open and close descriptors too: the kernel's table of
  /// connections tells those of this port.
  @Test func `five hundred connections leave nothing open`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    for round in 0..<50 {
      var talks = try (0..<10).map { _ in try server.talk() }
      for (number, talk) in talks.enumerated() {
        switch (round + number) % 4 {
        case 0: #expect(talk.ask("GET", "/api/health")?.status == 200)
        case 1: talk.socket.resetOnClose()
        case 2: talk.socket.send(Array("GET /api".utf8))
        default: break
        }
      }
      talks = []
    }
    let ledger = try server.ledger {
      $0.connections.count == 500 && $0.connections.allSatisfy { $0.end != nil }
    }
    #expect(ledger.connections.count == 500)
    #expect(ledger.connections.allSatisfy { $0.end != nil })
    #expect(try openConnections(of: server.port) == 0)
  }

  @Test func `a stop ends every connection, and no further one is made`() throws {
    let server = try ServerFixture(EngineScript(turnTakes: .seconds(600)))
    defer { server.stop() }
    let idle = try server.talk()
    #expect(idle.ask("PUT", path, ServerFixture.record)?.status == 201)
    #expect(idle.ask("PUT", "\(path)/media/c1?role=copy", "abc")?.status == 201)
    let waiting = try server.talk()
    waiting.send("POST", "\(path)/turns", Array(ServerFixture.turn.utf8))
    let sending = try server.talk()
    sending.send("PUT", "\(path)/media/o1?role=original", [1, 2, 3], declared: 10)
    _ = try server.ledger { $0.requests.count == 4 && $0.requests.last?.bodyBytes == 3 }
    server.stopServing()
    for talk in [idle, waiting, sending] { #expect(talk.endsCleanly()) }
    #expect(BlockingSocket.connect(port: server.port) == nil)
    #expect(try server.ledger().connections.map(\.end) == [.closed, .closed, .closed])
  }

  @Test func `garbage never ends the server`() throws {
    let server = try ServerFixture()
    defer { server.stop() }
    var random = SeededRandom(seed: 7).fork("garbage")
    let whole =
      Talk.request("PUT", path, Array(ServerFixture.record.utf8))
      + Talk.request(
        "PUT", "\(path)/media/c1?role=copy", seededBytes(2_000, seed: 7), ["Expect: 100-continue"])
      + Talk.request("POST", "\(path)/turns", Array(ServerFixture.turn.utf8))
      + Array(
        "PUT \(path) HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n".utf8
      )
    for _ in 0..<400 {
      let talk = try server.talk()
      var bytes = whole
      for _ in 0..<(1 << (random.next() % 6)) {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 40))
        default: bytes = Array(bytes[place...] + bytes[..<place])
        }
        if bytes.isEmpty { bytes = whole }
      }
      talk.socket.send(bytes)
      switch random.next() % 3 {
      case 0: talk.socket.resetOnClose()
      case 1:
        talk.socket.endSending()
        _ = talk.socket.receiveAll()
      default: break
      }
    }
    let ledger = try server.ledger {
      $0.connections.count == 400 && $0.connections.allSatisfy { $0.end != nil }
    }
    #expect(ledger.connections.count == 400)
    #expect(ledger.connections.allSatisfy { $0.end != nil })
    #expect(ledger.received == ledger.connections.reduce(0) { $0 + $1.received })
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
    #expect(try openConnections(of: server.port) <= 1)
  }

  /// Connections of a port that the server's side has not let go of.
  private func openConnections(of port: UInt16) throws -> Int {
    let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
    let digits = String(port, radix: 16, uppercase: true)
    let name = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    return table.split(separator: "\n").count { line in
      let columns = line.split(separator: " ")
      // Established, or ended by the client alone.
      return columns.count > 3 && columns[1].hasSuffix(name) && ["01", "08"].contains(columns[3])
    }
  }
}
