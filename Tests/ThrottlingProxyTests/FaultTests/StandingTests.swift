import EventLoop
import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// Connections that are held, silent, refused, dark, or slow to close.
  @Suite struct StandingTests {
    @Test func `a hold stops one side for its time, and the rest comes without a burst`() throws {
      var link = LinkConditions.symmetric(.limited(.kilobytes(200)))
      link.faults = [ConnectionFault(.hold(StreamPlace(.up, 100_000), for: .seconds(20)))]
      let fixture = try ProxyFixture(link, factor: 20)
      defer { fixture.stop() }
      let (client, server) = try fixture.connect()
      let bytes = seededBytes(1_000_000, seed: 1)
      let sent = inBackground { client.send(bytes) }
      var received: [UInt8] = []
      while received.count < 100_000 { received += try #require(server.receive()) }
      let heldAt = monotonicSeconds()
      #expect(received.count == 100_000 && server.isQuiet(milliseconds: 500))
      server.send([1, 2, 3])
      #expect(client.receive() == [1, 2, 3], "the other side goes on")
      received += try #require(server.receive())
      let goesOnAt = monotonicSeconds()
      #expect(goesOnAt - heldAt >= 0.99 && goesOnAt - heldAt < 3)
      while received.count < bytes.count { received += try #require(server.receive()) }
      // 900 KB at 4 MB/s of the monotonic clock.
      #expect(monotonicSeconds() - goesOnAt > 0.2)
      #expect(received == bytes && sent.wait() == true)
      #expect(fixture.read()?.zeroWindowProbes == 0)
    }

    @Test func `an end is passed on late, and its bytes are not`() throws {
      let fixture = try ProxyFixture(ConnectionFault(.slowClose(.seconds(6))))
      defer { fixture.stop() }
      let (client, server) = try fixture.connect()
      client.send([1, 2, 3])
      let start = monotonicSeconds()
      client.endSending()
      #expect(server.receive() == [1, 2, 3])
      #expect(server.isQuiet(milliseconds: 100))
      #expect(server.receive() == [] && monotonicSeconds() - start >= 0.299)
      server.endSending()
      #expect(client.receive() == [] && monotonicSeconds() - start >= 0.599)
      try fixture.expectOver(up: 3, down: 0)
    }

    @Test func `refused connections are reset, and never reach the server`() throws {
      let fixture = try ProxyFixture(
        ConnectionFault(.refuse, which: ConnectionChoice(number: 1)),
        ConnectionFault(.refuse, which: ConnectionChoice(number: 3)))
      defer { fixture.stop() }
      for number in 1...4 {
        if number.isMultiple(of: 2) {
          let (client, server) = try fixture.connect()
          client.send([UInt8(number)])
          #expect(server.receive() == [UInt8(number)])
        } else {
          let client = try #require(BlockingSocket.connect(port: fixture.port))
          #expect(client.receive() == nil)
        }
      }
      #expect(fixture.read()?.refused == 2)
    }

    @Test func `a fault for a window of time is over when that is`() throws {
      let until = ConnectionChoice(until: Instant(seconds: 10))
      let fixture = try ProxyFixture(ConnectionFault(.refuse, which: until))
      defer { fixture.stop() }
      let isThrough = eventually {
        guard let client = BlockingSocket.connect(port: fixture.port) else { return false }
        return client.isQuiet(milliseconds: 10)
      }
      #expect(isThrough)
      #expect(try #require(fixture.read()).refused > 5)
    }

    @Test func `a silent connection goes nowhere, and ends with its client`() throws {
      let fixture = try ProxyFixture(
        ConnectionFault(.silent, which: ConnectionChoice(number: 1)))
      defer { fixture.stop() }
      var silent = BlockingSocket.connect(port: fixture.port)
      silent?.send(seededBytes(3_000, seed: 2))
      let (client, server) = try fixture.connect()
      client.send([9])
      #expect(server.receive() == [9], "the next one reaches the server")
      #expect(silent?.isQuiet() == true)
      let reading = try #require(fixture.read())
      #expect(reading.connections == 2 && reading.up.takenIn == 3_001)
      #expect(reading.handedOver == 3_001)
      silent = nil
      #expect(eventually { fixture.read()?.connections == 1 })
      let after = try #require(fixture.read())
      #expect(after.up.carried == 1 && after.up.discarded == 3_000)
    }

    @Test func `the dark takes the connections that are there, and no others`() throws {
      let fixture = try ProxyFixture(ConnectionFault(.dark(at: Instant(seconds: 6))))
      defer { fixture.stop() }
      var (client, server): (BlockingSocket?, BlockingSocket) = try fixture.connect()
      client?.send([1])
      #expect(server.receive() == [1])
      usleep(400_000)
      client?.send([2])
      server.send([3])
      #expect(server.isQuiet() && client?.isQuiet() == true)
      let (other, otherServer) = try fixture.connect()
      other.send([4])
      #expect(otherServer.receive() == [4])
      client = nil
      #expect(server.receive() == nil)
      #expect(eventually { fixture.read()?.connections == 1 })
    }
  }
}
