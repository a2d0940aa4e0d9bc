import COpenSSL
import EngineServer
import EventLoop
import Glibc
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// The engine through TLS; ``ScriptedServingTests`` has its script there, too.
@Suite(.timeLimit(.minutes(1)))
struct SecureServingTests {
  /// Far more than all tests together have open.
  private static let descriptorsMax: Int32 = 4_096

  private let path = ServerFixture.path

  @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func `requests follow each other on one connection, also before they are answered`(
    newest: Int32
  ) throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let socket = try #require(BlockingSocket.connect(port: server.port))
    let pem = try #require(server.certificate)
    let secure = try #require(SecureBlockingSocket(socket, trusting: pem, newest: newest))
    let talk = Talk(secure)
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    let three = (0..<3).flatMap { _ in Talk.request("GET", "/api/health") }
    talk.socket.send(three)
    for _ in 0..<3 { #expect(talk.receive()?.body == #"{"ok":true,"engine":"onebar"}"#) }
    let ledger = try server.ledger()
    #expect(ledger.requests.count == 4 && ledger.connections.count == 1)
    #expect(ledger.connections.first?.received == ledger.received)
  }

  @Test(arguments: [
    (["http/1.1"], true), (["h2", "http/1.1"], true), (["h2"], false), (["http/1.0", "h3"], false),
  ])
  func `of the protocols that a client offers HTTP 1 is chosen, or none is spoken`(
    offered: [String], isSpoken: Bool
  ) throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let socket = try #require(BlockingSocket.connect(port: server.port))
    let pem = try #require(server.certificate)
    let secure = SecureBlockingSocket(socket, trusting: pem, offering: offered)
    #expect(secure?.chosen == (isSpoken ? "http/1.1" : nil))
    if let secure {
      #expect(Talk(secure).ask("GET", "/api/health")?.status == 200)
    } else {
      let ledger = try server.ledger { $0.connections.first?.end != nil }
      #expect(ledger.connections.first?.fault?.hasPrefix("TLS: ") == true)
    }
    // The engine goes on.
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
  }

  @Test func `a body of many records comes whole, and goes whole to a client that reads slowly`()
    throws
  {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let talk = try server.talk()
    let bytes = seededBytes(6_000_000, seed: 7)
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    talk.send("PUT", "\(path)/media/o1?role=original", bytes)
    #expect(talk.receive()?.status == 201)

    let slow = try server.talk()
    slow.send("GET", "\(path)/media/o1", [], ["Connection: close"])
    // Long enough for the kernel to be full, so that the end of TLS has to wait as well.
    usleep(100_000)
    #expect(talk.ask("GET", "/api/health")?.status == 200)
    let (received, isClean) = slow.socket.receiveAll()
    #expect(isClean)
    #expect(received.suffix(bytes.count).elementsEqual(bytes))
    #expect(try server.ledger().connections.last?.sent == received.count)
  }

  @Test func `what is sent before a half close is answered`() throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let talk = try server.talk()
    talk.socket.send(Talk.request("GET", "/api/health") + Talk.request("PUT", path, [1]))
    talk.socket.endSending()
    #expect(talk.receive()?.status == 200)
    #expect(talk.receive()?.status == 400)
    #expect(talk.endsCleanly())
  }

  @Test func `a refusal reaches a client that is still sending`() throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let talk = try server.talk()
    #expect(talk.ask("PUT", path, ServerFixture.record)?.status == 201)
    talk.send("PUT", "\(path)/media/o1?role=original", [], declared: 100_000_000)
    let part = [UInt8](repeating: 1, count: 3_000_000)
    #expect(talk.socket.send(part))
    #expect(talk.receive()?.status == 413)
    #expect(talk.socket.send(part))
    talk.socket.endSending()
    #expect(talk.endsCleanly())
    let ledger = try server.ledger { $0.connections.first?.end != nil }
    #expect(ledger.requests.last?.bodyBytes == 2 * part.count)
  }

  @Test func `a client that trusts another certificate is not served`() throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let socket = try #require(BlockingSocket.connect(port: server.port))
    let other = try SelfSignedCertificate().pem
    #expect(other != server.certificate)
    #expect(SecureBlockingSocket(socket, trusting: other) == nil)
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
  }

  @Test func `HTTP in the open ends with a reason, and harms nobody`() throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    let talk = try server.talk()
    let plain = try #require(BlockingSocket.connect(port: server.port))
    plain.send(Talk.request("GET", "/api/health"))
    #expect(!String(decoding: plain.receiveAll().bytes, as: UTF8.self).contains("HTTP"))
    let ledger = try server.ledger { $0.connections.last?.end != nil }
    #expect(ledger.connections.last?.fault == "TLS: http request")
    #expect(ledger.requests.isEmpty)
    #expect(talk.ask("GET", "/api/health")?.status == 200)
  }

  /// At 60x, a sixth of a second.
  @Test func `a handshake that does not go on is ended by its limit`() throws {
    let server = try ServerFixture(over: .tls, factor: 60)
    defer { server.stop() }
    let hello = SecureBlockingSocket.clientHello()
    for start in [[], Array(hello.prefix(50)), hello] {
      let socket = try #require(BlockingSocket.connect(port: server.port))
      socket.send(start)
      _ = socket.receiveAll()
    }
    let ledger = try server.ledger { $0.connections.allSatisfy { $0.end != nil } }
    #expect(ledger.connections.count == 3)
    for connection in ledger.connections {
      #expect(connection.fault == "TLS: the handshake was not over after 10 s")
      #expect((connection.endedAt ?? .zero) - connection.openedAt >= .seconds(10))
    }
    // One that is over has no limit, however long it then says nothing.
    let talk = try server.talk()
    usleep(300_000)
    #expect(talk.ask("GET", "/api/health")?.status == 200)
  }

  /// Bytes changed, cut, repeated or of no sense at all, by a client that then ends, resets or waits
  /// for the answer.
  @Test func `hundreds of broken handshakes leave a server that serves, and no descriptor`() throws
  {
    let server = try ServerFixture(over: .tls, factor: 60)
    defer { server.stop() }
    let hello = SecureBlockingSocket.clientHello()
    #expect(hello.count > 100)
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
    _ = try server.ledger { $0.connections.allSatisfy { $0.end != nil } }
    var random = SeededRandom(seed: 7)
    for _ in 0..<400 {
      let socket = try #require(BlockingSocket.connect(port: server.port))
      socket.send(Self.mutation(of: hello, &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: socket.resetOnClose()
      case 1:
        socket.endSending()
        _ = socket.receiveAll()
      default: break
      }
    }
    let ledger = try server.ledger { $0.connections.allSatisfy { $0.end != nil } }
    #expect(ledger.connections.count == 401)
    #expect(ledger.connections.count { $0.fault?.hasPrefix("TLS: ") == true } > 100)
    #expect(ledger.requests.count == 1)
    #expect(server.connectionCount == 0)
    #expect(descriptors(on: server.port) == 1)
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
  }

  @Test func `records that are broken once TLS is established end that connection only`() throws {
    let server = try ServerFixture(over: .tls)
    defer { server.stop() }
    var random = SeededRandom(seed: 11)
    for _ in 0..<50 {
      let talk = try server.talk()
      talk.send("PUT", path, [1], declared: 1_000)
      let garbage = Self.mutation(of: [23, 3, 3, 0, 40] + seededBytes(40, seed: 3), &random)
      garbage.withUnsafeBytes { bytes in
        _ = Glibc.send(
          talk.socket.descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
    }
    let ledger = try server.ledger { $0.connections.allSatisfy { $0.end != nil } }
    #expect(ledger.connections.count { $0.fault?.hasPrefix("TLS: ") == true } > 10)
    #expect(ledger.requests.allSatisfy { $0.end != .answered && $0.bodyBytes == 1 })
    #expect(try server.talk().ask("GET", "/api/health")?.status == 200)
  }

  private static func mutation(of bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
          UInt8.random(in: 1...255, using: &random)
      }
    case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case 2:
      let at = Int.random(in: 0..<bytes.count, using: &random)
      bytes.insert(contentsOf: bytes[at...], at: at)
    case 3: bytes = seededBytes(Int.random(in: 1...2_000, using: &random), seed: random.next())
    // Lengths that promise far more than comes.
    default:
      bytes[3] = 0x40
      bytes[4] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }

  /// Descriptors of this process that are sockets with this port: other tests run beside this one.
  private func descriptors(on port: UInt16) -> Int {
    (0..<Self.descriptorsMax).count { number in
      var name = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
      }
      return result == 0 && name.sin_port == port.bigEndian
    }
  }
}
