import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// A proxy with nothing to do takes no processor time, whatever state its connections are in.
  @Suite struct IdleTests {
    /// Processor seconds of the loop's thread in about half a second.
    private func work(of fixture: ProxyFixture) throws -> Double {
      let before = try #require(fixture.processorSeconds())
      usleep(500_000)
      return try #require(fixture.processorSeconds()) - before
    }

    @Test func `a connection whose ends both wait behind an offline link costs nothing`() throws {
      let fixture = try ProxyFixture(.symmetric(.offline))
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      client.send([1])
      client.endSending()
      server.send([2])
      server.endSending()
      #expect(try work(of: fixture) < 0.1)
    }

    @Test func `an answer that crosses slowly after both sides have ended costs little`() throws {
      var conditions = LinkConditions.symmetric(.unlimited)
      conditions.down.rate = .limited(.kilobytes(20))
      let fixture = try ProxyFixture(conditions)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      client.endSending()
      #expect(server.receive() == [])
      server.send(seededBytes(50_000, seed: 1))
      server.endSending()
      #expect(try work(of: fixture) < 0.1)
    }

    @Test func `a body that crosses slowly after both sides have ended costs little`() throws {
      var conditions = LinkConditions.symmetric(.unlimited)
      conditions.up.rate = .limited(.kilobytes(20))
      let fixture = try ProxyFixture(conditions)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      client.send(seededBytes(50_000, seed: 1))
      client.endSending()
      server.endSending()
      #expect(client.receive() == [])
      #expect(try work(of: fixture) < 0.1)
    }

    @Test func `a full buffer with both sides ended costs nothing`() throws {
      var conditions = LinkConditions.symmetric(.offline)
      conditions.down.rate = .unlimited
      let fixture = try ProxyFixture(conditions)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port))
      let server = try #require(fixture.server.accept())
      client.send(seededBytes(60_000, seed: 1))
      client.endSending()
      server.endSending()
      #expect(client.receive() == [])
      #expect(try work(of: fixture) < 0.1)
    }
  }
}

extension ProxyFixture {
  func processorSeconds() -> Double? {
    ask { _ in
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }
}
