import EventLoop
import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// Where nothing throttles, bytes stream through the kernel; what holds elsewhere holds there.
  @Suite struct UnthrottledTests {
    @Test func `streams pass both ways at once, in order and counted exactly`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited))
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      let up = seededBytes(9_000_001, seed: 1)
      let down = seededBytes(7_000_003, seed: 2)
      let atServer = inBackground { server.receiveAll() }
      let fromServer = inBackground { () -> Bool in
        defer { server.endSending() }
        return server.send(down)
      }
      let atClient = inBackground { client.receiveAll() }
      #expect(client.send(up))
      client.endSending()
      let (received, clean) = try #require(atServer.wait())
      #expect(received == up && clean)
      let (answered, cleanAnswer) = try #require(atClient.wait())
      #expect(answered == down && cleanAnswer)
      #expect(fromServer.wait() == true)
      #expect(eventually { fixture.read()?.connections == 0 })
      let reading = try #require(fixture.read())
      #expect(reading.up.takenIn == up.count && reading.up.carried == up.count)
      #expect(reading.down.takenIn == down.count && reading.down.carried == down.count)
      #expect(reading.up.discarded == 0 && reading.down.discarded == 0)
    }

    /// While bytes stream, and while the server takes none and they stand still.
    @Test(arguments: [true, false], [0, 30_000])
    func `a reset is passed on at once, and every byte is accounted for`(
      byClient: Bool, after microseconds: useconds_t
    ) throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited))
      defer { fixture.stop() }
      for _ in 0..<10 {
        var client = BlockingSocket.connect(port: fixture.port)
        var server = fixture.server.accept()
        // Less than the kernels take in without a reader.
        #expect(client?.send(seededBytes(1_000_000, seed: 1)) == true)
        usleep(microseconds)
        let start = monotonicSeconds()
        if byClient {
          client?.resetOnClose()
          client = nil
          #expect(server?.receiveAll().cleanEnd == false)
        } else {
          server?.resetOnClose()
          server = nil
          #expect(client?.receive() == nil)
        }
        #expect(monotonicSeconds() - start < 0.5)
        #expect(eventually { fixture.read()?.connections == 0 })
      }
      let reading = try #require(fixture.read())
      #expect(reading.up.takenIn > 0 && reading.up.queued == 0)
      #expect(reading.up.takenIn == reading.up.carried + reading.up.discarded)
    }

    @Test func `a server that takes nothing keeps its sender waiting, and others go on`() throws {
      let fixture = try ProxyFixture(.symmetric(.unlimited))
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let body = seededBytes(60_000_000, seed: 1)
      let handed = ByteTally()
      let sent = inBackground { () -> Bool in
        defer { client.endSending() }
        return client.push(body, counting: handed)
      }
      let isWaiting = eventually { (fixture.read()?.up.queued ?? 0) > 0 }
      #expect(isWaiting)
      #expect(fixture.read().map { $0.up.queued <= 262_144 } == true, "one pipe at most")
      let other = try #require(BlockingSocket.connect(port: fixture.port))
      let otherServer = try #require(fixture.server.accept())
      other.send([1])
      #expect(otherServer.receive() == [1])
      let (received, clean) = server.receiveAll()
      #expect(received == body && clean)
      #expect(sent.wait() == true)
    }
  }
}
