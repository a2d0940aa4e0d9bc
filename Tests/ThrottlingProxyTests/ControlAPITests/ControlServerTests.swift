import Glibc
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// The control API over sockets: what it does to proxies, and what its own clients may do.
  @Suite struct ControlServerTests {
    @Test(arguments: ["disable", "delete", "move"])
    func `connections end at once when their proxy does`(way: String) throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("latency", "downstream", #"{"latency":60000}"#)
      let (client, server) = try fixture.connect(port)
      server.send([1])
      usleep(20_000)
      let start = monotonicSeconds()
      switch way {
      case "disable": fixture.send("POST", "/proxies/p", #"{"enabled":false}"#)
      case "delete": fixture.send("DELETE", "/proxies/p")
      default: fixture.send("POST", "/proxies/p", #"{"listen":"localhost:0"}"#)
      }
      let (end, serverEnd) = (client.receiveAll(), server.receiveAll())
      #expect(end.bytes.isEmpty && end.cleanEnd && serverEnd.cleanEnd)
      #expect(monotonicSeconds() - start < 1)
      #expect(BlockingSocket.connect(port: port) == nil)
    }

    @Test func `a proxy comes back on its port, with its toxics`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy()
      fixture.addToxic("limit_data", "upstream", #"{"bytes":3}"#)
      for _ in 0..<3 {
        #expect(fixture.send("PATCH", "/proxies/p", #"{"enabled":false}"#)?.status == 200)
        #expect(BlockingSocket.connect(port: port) == nil)
        #expect(fixture.send("PATCH", "/proxies/p", #"{"enabled":true}"#)?.status == 200)
        let (client, server) = try fixture.connect(port)
        client.send([1, 2, 3, 4])
        #expect(server.receiveAll().bytes == [1, 2, 3])
      }
    }

    @Test func `a port in use is told in the words of the original`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let body = #"{"name":"p","upstream":"x:1","listen":"localhost:\#(fixture.serverPort)"}"#
      let answer = try #require(fixture.send("POST", "/proxies", body))
      #expect(answer.status == 500)
      #expect(
        answer.body.contains(
          "listen tcp 127.0.0.1:\(fixture.serverPort): bind: address already in use"))
    }

    @Test func `a server is found by its name`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      // No address as it is read here, but a name that the system's resolver knows without asking.
      let (client, server) = try fixture.connect(
        try fixture.makeProxy(upstream: "127.1:\(fixture.serverPort)"))
      client.send([1])
      #expect(server.receive() == [1])
    }

    @Test(arguments: ["a..b:80", "127.0.0.1:1", "nowhere", "::1:80", ":1"])
    func `clients of a server that is not there are turned away`(upstream: String) throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let port = try fixture.makeProxy(upstream: upstream)
      for _ in 0..<3 {
        let client = try #require(BlockingSocket.connect(port: port))
        #expect(client.receive()?.isEmpty != false)
      }
      #expect(fixture.send("GET", "/version")?.status == 200)
    }

    @Test func `a server that does not answer keeps nobody else waiting`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let (full, fullPort) = try #require(Self.listenerThatIsFull())
      defer { for descriptor in full { close(descriptor) } }
      let port = try fixture.makeProxy("slow", upstream: "localhost:\(fullPort)")
      let waiting = try (0..<3).map { _ in try #require(BlockingSocket.connect(port: port)) }
      let start = monotonicSeconds()
      let (client, server) = try fixture.connect(try fixture.makeProxy())
      client.send([1])
      #expect(server.receive() == [1])
      #expect(fixture.send("POST", "/proxies/slow", #"{"enabled":false}"#)?.status == 200)
      #expect(monotonicSeconds() - start < 0.9)
      for client in waiting { #expect(client.receive()?.isEmpty != false) }
    }

    /// One whose queue of connections is taken, so that the next is not answered at all.
    private static func listenerThatIsFull() -> (descriptors: [Int32], port: UInt16)? {
      guard let (listener, port) = BlockingSocket.listen() else { return nil }
      // A second listen(2) changes the length of the queue.
      listen(listener.descriptor, 0)
      let clients = (0..<3).map { _ in
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      }
      for client in clients { _ = connect(client, toPort: port) }
      return (clients + [dup(listener.descriptor)], port)
    }

    @Test func `one connection takes any number of requests, at once or bit by bit`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let socket = try #require(BlockingSocket.connect(port: fixture.port))
      let request = Array("GET /proxies HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      let last = Array("GET /proxies HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
      socket.send(request + request)
      for byte in request { socket.send([byte]) }
      socket.send(last)
      let text = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
      #expect(text.matches(of: /HTTP\/1.1 200 OK/).count == 4)
      #expect(text.matches(of: /\{\}/).count == 4)
    }

    @Test func `a client that has ended its sending gets the whole of long answers`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let name = String(repeating: "n", count: 900)
      let proxies = (0..<900).map { #"{"name":"\#($0)\#(name)","upstream":"x","enabled":false}"# }
      let list = "[\(proxies.joined(separator: ","))]"
      #expect(fixture.send("POST", "/populate", list)?.status == 201)
      let once = try #require(fixture.send("GET", "/proxies")).body.utf8.count
      let socket = try #require(BlockingSocket.connect(port: fixture.port))
      let request = "GET /proxies HTTP/1.1\r\nHost: localhost\r\n"
      let all =
        String(repeating: request + "\r\n", count: 9) + request + "Connection: close\r\n\r\n"
      socket.send(Array(all.utf8))
      socket.endSending()
      usleep(50_000)
      let (bytes, cleanEnd) = socket.receiveAll()
      #expect(bytes.count > 10 * once && cleanEnd)
    }

    @Test func `a body may come in chunks, and is asked for when the client waits`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let socket = try #require(BlockingSocket.connect(port: fixture.port))
      socket.send(
        Array(
          ("POST /proxies HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n").utf8))
      let first = String(decoding: try #require(socket.receive()), as: UTF8.self)
      #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
      socket.send(Array("9\r\n{\"name\":1\r\n1\r\n}\r\n0\r\n\r\n".utf8))
      #expect(ControlFixture.parsed(socket.receiveAll().bytes)?.status == 400)
    }

    @Test(arguments: [
      ("GET / HTTP/2.0\r\n\r\n", 505), ("nonsense\r\n\r\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("POST /proxies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000001\r\n\r\n", 413),
      ("POST /proxies HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
    ])
    func `what is no request is answered and ends the connection`(text: String, status: Int) throws
    {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let socket = try #require(BlockingSocket.connect(port: fixture.port))
      socket.send(Array(text.utf8) + seededBytes(100_000, seed: 1))
      let (bytes, cleanEnd) = socket.receiveAll()
      let answer = try #require(ControlFixture.parsed(bytes))
      #expect(answer.status == status && cleanEnd)
      #expect(answer.body.hasPrefix("{\"error\":\""))
    }

    @Test func `a client that is slow with its request is told so, one that says nothing is ended`()
      throws
    {
      let fixture = try ControlFixture(factor: 100)
      defer { fixture.stop() }
      let slow = try #require(BlockingSocket.connect(port: fixture.port))
      let idle = try #require(BlockingSocket.connect(port: fixture.port))
      slow.send(
        Array("POST /proxies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n".utf8))
      #expect(ControlFixture.parsed(slow.receiveAll().bytes)?.status == 408)
      #expect(idle.receive() == [])
    }

    @Test func `one connection too many takes the place of the quietest`() throws {
      let fixture = try ControlFixture()
      defer { fixture.stop() }
      let clients = try (0..<ControlLimits.connections).map { _ in
        try #require(BlockingSocket.connect(port: fixture.port))
      }
      let request = Array("GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      // The first of them has been heard last.
      for client in clients.dropFirst() + clients.prefix(1) {
        client.send(request)
        #expect(client.receive()?.isEmpty == false)
      }
      let more = try #require(BlockingSocket.connect(port: fixture.port))
      more.send(request)
      #expect(more.receive()?.isEmpty == false)
      #expect(clients[1].receive() == [])
      clients[0].send(request)
      #expect(clients[0].receive()?.isEmpty == false)
      #expect(fixture.ask { $0.clientCount } == ControlLimits.connections)
    }

    @Test func `hundreds of broken clients leave nothing, and the server serves on`() async {
      await #expect(processExitsWith: .success) {
        try ControlFixture().stop()
        let before = openDescriptors()
        do {
          let fixture = try ControlFixture(factor: 20)
          defer { fixture.stop() }
          let request = Array(
            ("POST /populate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 44\r\n\r\n"
              + #"[{"name":"p","upstream":"x:1","listen":":0"}]"#).utf8)
          var random = SeededRandom(seed: 12)
          var open: [BlockingSocket] = []
          for number in 0..<400 {
            let client = try #require(BlockingSocket.connect(port: fixture.port))
            var bytes = request
            switch number % 4 {
            case 0: bytes = Array(bytes.prefix(random.whole(0...bytes.count)))
            case 1: bytes[random.whole(0...(bytes.count - 1))] = UInt8(random.whole(0...255))
            case 2: bytes = seededBytes(random.whole(0...300), seed: UInt64(number))
            default: break
            }
            client.send(bytes)
            switch random.whole(0...3) {
            case 0: client.resetOnClose()
            case 1: client.endSending()
            case 2: open.append(client)
            default: break
            }
            if open.count > 40 { open.removeFirst() }
          }
          #expect(fixture.send("GET", "/version")?.status == 200)
          #expect(fixture.send("POST", "/reset")?.status == 204)
          open = []
          #expect(eventually { fixture.ask { $0.clientCount } == 0 })
        }
        #expect(eventually { openDescriptors() <= before }, "\(openDescriptors()) of \(before)")
      }
    }
  }
}
