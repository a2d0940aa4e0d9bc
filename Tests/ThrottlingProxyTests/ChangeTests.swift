import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  /// Conditions that change under open connections.
  @Suite struct ChangeTests {
    @Test func `other conditions hold at once, for open connections too, and lose nothing`() throws
    {
      let fixture = try ProxyFixture(.symmetric(.limited(.kilobytes(20))), factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let bytes = seededBytes(3_000_000, seed: 4)
      let sent = inBackground {
        defer { client.endSending() }
        return client.send(bytes)
      }
      let received = inBackground { server.receiveAll() }
      #expect(eventually { (fixture.read()?.up.carried ?? 0) > 200_000 })
      _ = fixture.ask { $0.change(to: .symmetric(.offline)) }
      let stopped = try #require(fixture.read()).up.carried
      #expect(fixture.read()?.up.carried == stopped)
      _ = fixture.ask { $0.change(to: .symmetric(.unlimited, buffer: .megabytes(1))) }
      let (all, isClean) = try #require(received.wait())
      #expect(sent.wait() == true && all == bytes && isClean)
    }

    @Test func `an end of stream waits for the end of an outage`() throws {
      let fixture = try ProxyFixture(.symmetric(.offline), factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      client.endSending()
      let ended = inBackground { server.receiveAll() }
      #expect(eventually { (fixture.read()?.connections ?? 0) == 1 })
      _ = fixture.ask { $0.change(to: .symmetric(.limited(.kilobytes(20)))) }
      let (bytes, isClean) = try #require(ended.wait())
      #expect(bytes.isEmpty && isClean)
    }

    @Test func `over outages and steps the rate measured is the mean of the rate asked`() throws {
      var conditions = LinkConditions.symmetric(
        .steps([
          RateStep(at: .zero, rate: .limited(.kilobytes(20))),
          RateStep(at: Instant(seconds: 90), rate: .limited(.kilobytes(61.4))),
        ]))
      conditions.up.outages = [Outage(at: Instant(seconds: 30), duration: .seconds(40))]
      let fixture = try ProxyFixture(conditions, factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let sent = inBackground { client.send(seededBytes(3_000_000, seed: 5)) }
      #expect(server.receiveTimed(3_000_000) != nil && sent.wait() == true)
      let reading = try #require(fixture.read())
      let (asked, measured) = (try #require(reading.upAsked), try #require(reading.upRate))
      #expect(abs(measured / asked - 1) < 0.005, "\(measured) of \(asked)")
      #expect(reading.zeroWindowProbes == 0)
    }
  }
}
