import EventLoop
import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// In processes of their own: what other tests open at the same time must not be counted.
  @Suite struct DescriptorTests {
    @Test func `stopping leaves no descriptor`() async {
      await #expect(processExitsWith: .success) {
        // The system's own first use of threads and files comes before.
        try ProxyFixture(.symmetric(.unlimited)).stop()
        let before = openDescriptors()
        do {
          let fixture = try ProxyFixture(.symmetric(.limited(.kilobytes(20))))
          var clients: [BlockingSocket] = []
          var servers: [BlockingSocket] = []
          for number in 0..<20 {
            let client = try #require(BlockingSocket.connect(port: fixture.port))
            let server = try #require(fixture.server.accept())
            client.send(seededBytes(500 * number, seed: 1))
            clients.append(client)
            servers.append(server)
          }
          // What was received of each comes first; behind it is the reset.
          fixture.stop()
          for socket in clients + servers { #expect(!socket.receiveAll().cleanEnd) }
        }
        let isBack = eventually { openDescriptors() <= before }
        #expect(isBack, "\(openDescriptors()) of \(before)")
      }
    }

    @Test func `two hundred connections opened and reset at random leave nothing`() async {
      await #expect(processExitsWith: .success) {
        try ProxyFixture(.symmetric(.unlimited)).stop()
        let before = openDescriptors()
        do {
          let fixture = try ProxyFixture(
            .symmetric(.limited(.kilobytes(100)), latency: .milliseconds(50)), factor: 20)
          defer { fixture.stop() }
          let received = ByteTally()
          let servers = inBackground { () -> Int in
            var number = 0
            while let server = fixture.server.accept() {
              if number % 3 == 0 { server.send(seededBytes(2_000, seed: 2)) }
              if number % 7 == 0 {
                server.resetOnClose()
              } else {
                _ = inBackground {
                  if !server.drain(counting: received) { return }
                  server.endSending()
                }
              }
              number += 1
            }
            return number
          }
          var random = SeededRandom(seed: 3)
          var open: [BlockingSocket] = []
          for number in 0..<200 {
            let client = try #require(BlockingSocket.connect(port: fixture.port))
            client.send(seededBytes(.random(in: 0..<6_000, using: &random), seed: 4))
            if number % 2 == 0 { client.endSending() } else { client.resetOnClose() }
            open.append(client)
            if open.count > 10 { open.remove(at: .random(in: 0..<10, using: &random)) }
          }
          open = []
          #expect(eventually { fixture.read()?.connections == 0 })
          shutdown(fixture.server.descriptor, Int32(SHUT_RDWR))
          // A client may reset before the connection to the server is made.
          let accepted = try #require(servers.wait())
          #expect((100...200).contains(accepted))
          let reading = try #require(fixture.read())
          #expect(reading.up.queued == 0 && reading.down.queued == 0)
          #expect(reading.up.takenIn == reading.up.carried + reading.up.discarded)
          #expect(reading.down.takenIn == reading.down.carried + reading.down.discarded)
          #expect(reading.propagating == 0 && !reading.isFull)
        }
        #expect(eventually { openDescriptors() <= before }, "\(openDescriptors()) of \(before)")
      }
    }

    @Test func `two thousand connections that rest cost two descriptors each, and leave none`()
      async
    {
      await #expect(processExitsWith: .success) {
        // Four for each connection: the client's, the server's, and two of the proxy.
        let count = min(2_000, DescriptorLimit.raise() / 4 - 50)
        try ProxyFixture(.symmetric(.unlimited)).stop()
        let before = openDescriptors()
        do {
          let fixture = try ProxyFixture(.symmetric(.unlimited))
          defer { fixture.stop() }
          let base = openDescriptors()
          var pairs: [(BlockingSocket, BlockingSocket)] = []
          for _ in 0..<count {
            let client = try #require(BlockingSocket.connect(port: fixture.port))
            pairs.append((client, try #require(fixture.server.accept())))
          }
          // A stream through some of them takes pipes, and gives them back.
          for (client, server) in pairs.prefix(20) {
            let body = seededBytes(2_000_000, seed: 5)
            let received = inBackground { server.receiveAll().bytes == body }
            client.send(body)
            client.endSending()
            #expect(received.wait() == true)
          }
          #expect(eventually { openDescriptors() <= base + 4 * count + 8 }, "a few spare pipes")
          #expect(fixture.read()?.connections == count)
          pairs = []
          #expect(eventually { fixture.read()?.connections == 0 })
        }
        #expect(eventually { openDescriptors() <= before }, "\(openDescriptors()) of \(before)")
      }
    }

    @Test func `a connection above the limit is reset, and one below it is served`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited), connectionsMax: 3)
      defer { fixture.stop() }
      var clients: [BlockingSocket] = []
      for _ in 0..<3 {
        clients.append(try #require(BlockingSocket.connect(port: fixture.port)))
        _ = try #require(fixture.server.accept())
      }
      // A server that was let go has ended its stream; its connection lasts until the client's ends.
      let refused = try #require(BlockingSocket.connect(port: fixture.port))
      #expect(refused.receive() == nil)
      #expect(fixture.ask(\.refused) == 1)
      clients.removeLast()
      #expect(eventually { fixture.read()?.connections == 2 })
      let served = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      served.send([1])
      #expect(server.receive() == [1])
      #expect(fixture.ask(\.refused) == 1)
    }

    @Test func `without a descriptor left a client is reset or waits, and then it is served`() async
    {
      await #expect(processExitsWith: .success) {
        let fixture = try ProxyFixture(.symmetric(.unlimited), factor: 10)
        defer { fixture.stop() }
        let first = try #require(BlockingSocket.connect(port: fixture.port))
        let firstServer = try #require(fixture.server.accept())
        let waiting = (0..<4).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for client in waiting { close(client) } }
        var fillers = fillDescriptors(leaving: 1)
        let before = try #require(fixture.processorSeconds())
        for client in waiting { #expect(connect(client, toPort: fixture.port)) }
        usleep(300_000)
        #expect(try #require(fixture.processorSeconds()) - before < 0.1, "it does not spin")
        first.send([7])
        #expect(firstServer.receive() == [7], "what is connected goes on")
        for filler in fillers { close(filler) }
        fillers = []
        // Those that were reset while there was none are counted; the others are served.
        let refused = try #require(fixture.ask(\.refused))
        #expect(eventually { fixture.read()?.connections == 5 - refused })
        for client in waiting {
          var byte: UInt8 = 8
          send(client, &byte, 1, Int32(MSG_NOSIGNAL))
        }
        for _ in 0..<(4 - refused) {
          let server = try #require(fixture.server.accept())
          #expect(server.receive() == [8])
        }
      }
    }
  }
}

func openDescriptors() -> Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

func connect(_ client: Int32, toPort port: UInt16) -> Bool {
  var name = sockaddr_in()
  name.sin_family = sa_family_t(AF_INET)
  name.sin_port = port.bigEndian
  name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return withUnsafePointer(to: &name) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}

/// Opens files until only so many descriptors are left, with the limit lowered to be quick.
private func fillDescriptors(leaving left: Int) -> [Int32] {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = 128
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  var fillers: [Int32] = []
  while true {
    let filler = open("/dev/null", O_RDONLY)
    guard filler >= 0 else { break }
    fillers.append(filler)
  }
  for filler in fillers.suffix(left) { close(filler) }
  return fillers.dropLast(left)
}
