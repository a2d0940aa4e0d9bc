import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  @Suite struct ResetTests {
    static let slow = LinkConditions(
      up: DirectionConditions(rate: .limited(.kilobytes(20)), latency: .milliseconds(300)),
      down: DirectionConditions(rate: .unlimited, latency: .milliseconds(300)),
      buffer: .kilobytes(300))

    @Test func `a client's reset drops what has not crossed and reaches the server at once`() throws
    {
      let fixture = try ProxyFixture(Self.slow, factor: 20)
      defer { fixture.stop() }
      for round in 0..<5 {
        let before = try #require(fixture.read())
        var client = BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000)
        let server = try #require(fixture.server.accept())
        let received = ByteTally()
        let drained = inBackground { server.drain(counting: received) }
        client?.send(seededBytes(250_000, seed: UInt64(round)))
        usleep(60_000 + useconds_t(round) * 7_000)
        let start = monotonicSeconds()
        client?.resetOnClose()
        client = nil
        #expect(drained.wait() == false, "a reset, not an end")
        #expect(monotonicSeconds() - start < 0.5)
        let isClosed = eventually { fixture.read()?.connections == 0 }
        #expect(isClosed)
        let after = try #require(fixture.read())
        #expect(after.up.takenIn == after.up.carried + after.up.discarded)
        #expect(after.up.carried - before.up.carried == received.count)
        #expect(after.up.discarded > before.up.discarded)
        #expect(after.propagating == 0)
      }
    }

    @Test func `what the server's kernel never got was not carried`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited, buffer: .kilobytes(64)))
      defer { fixture.stop() }
      var client = BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000)
      let server = try #require(fixture.server.accept())
      let handed = ByteTally()
      let sender = client
      let sent = inBackground { sender?.push(seededBytes(12_000_000, seed: 1), counting: handed) }
      var last = -1
      let isStill = eventually(seconds: 20) {
        defer { last = handed.count }
        usleep(150_000)
        return handed.count > 0 && handed.count == last
      }
      #expect(isStill)
      // The sender waits in its write; ending its stream lets it go.
      _ = client.map { shutdown($0.descriptor, Int32(SHUT_RDWR)) }
      _ = sent.wait()
      client?.resetOnClose()
      client = nil
      fixture.stopProxy()
      let received = ByteTally()
      #expect(server.drain(counting: received) == false)
      let reading = try #require(fixture.read())
      #expect(reading.up.carried == received.count)
      #expect(reading.up.takenIn == reading.up.carried + reading.up.discarded)
    }

    @Test func `a server's reset reaches the client`() throws {
      let fixture = try ProxyFixture(Self.slow, factor: 20)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      var server = fixture.server.accept()
      client.send(seededBytes(200_000, seed: 1))
      server?.resetOnClose()
      server = nil
      let start = monotonicSeconds()
      #expect(client.receive() == nil)
      #expect(monotonicSeconds() - start < 0.5)
      let isClosed = eventually { fixture.read()?.connections == 0 }
      #expect(isClosed)
      let reading = try #require(fixture.read())
      #expect(reading.up.takenIn == reading.up.carried + reading.up.discarded)
    }

    @Test func `a connection to a dead target is reset`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited), deadTarget: true)
      defer { fixture.stop() }
      for _ in 0..<20 {
        let client = try #require(BlockingSocket.connect(port: fixture.port))
        #expect(client.receive() == nil)
      }
      let isClosed = eventually { fixture.read()?.connections == 0 }
      #expect(isClosed)
      #expect(fixture.read()?.unreached == 20)
    }

    @Test func `a client's reset is seen while the buffer is full`() throws {
      let fixture = try ProxyFixture(.symmetric(.offline))
      defer { fixture.stop() }
      var client = BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000)
      let server = try #require(fixture.server.accept())
      let sender = client
      let sent = inBackground { sender?.send(seededBytes(500_000, seed: 1)) }
      let isFull = eventually { fixture.read()?.isFull == true }
      #expect(isFull)
      client?.resetOnClose()
      _ = client.map { shutdown($0.descriptor, Int32(SHUT_WR)) }
      _ = sent.wait()
      client = nil
      withExtendedLifetime(sender) {}
      #expect(fixture.read()?.connections == 1, "the end of its stream waits behind its bytes")
      fixture.stopProxy()
      #expect(server.receive() == nil)
    }
  }
}
