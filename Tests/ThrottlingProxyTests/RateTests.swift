import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  @Suite struct RateTests {
    @Test func `each direction carries at its own rate`() throws {
      let fixture = try ProxyFixture(
        LinkConditions(
          up: DirectionConditions(rate: .limited(.kilobytes(20))),
          down: DirectionConditions(rate: .limited(.kilobytes(35)))),
        factor: 60)
      defer { fixture.stop() }
      let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
      let server = try #require(fixture.server.accept())
      let up = seededBytes(2_400_000, seed: 1)
      let down = seededBytes(4_200_000, seed: 2)
      let sentUp = inBackground { client.send(up) }
      let sentDown = inBackground { server.send(down) }
      let timedDown = inBackground { client.receiveTimed(down.count) }
      let upRate = try #require(server.receiveTimed(up.count))
      let downRate = try #require(timedDown.wait() ?? nil)
      #expect(sentUp.wait() == true && sentDown.wait() == true)

      let reading = try #require(fixture.read())
      let measuredUp = try #require(reading.upRate)
      let measuredDown = try #require(reading.downRate)
      #expect(abs(measuredUp / 20_000 - 1) < 0.005)
      #expect(abs(measuredDown / 35_000 - 1) < 0.005)
      // The receivers' own clocks, which the machine may disturb.
      #expect(abs(upRate / (20_000 * 60) - 1) < 0.03)
      #expect(abs(downRate / (35_000 * 60) - 1) < 0.03)
    }

    @Test func `two connections share the link fairly`() throws {
      let fixture = try ProxyFixture(.symmetric(.limited(.kilobytes(20))), factor: 60)
      defer { fixture.stop() }
      let tallies = [ByteTally(), ByteTally()]
      var waits: [Slot<Bool>] = []
      for tally in tallies {
        let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
        let server = try #require(fixture.server.accept())
        waits.append(
          inBackground {
            defer { client.endSending() }
            return client.send(seededBytes(700_000, seed: 3))
          })
        waits.append(inBackground { server.drain(counting: tally) })
      }
      let hasCrossed = eventually { tallies.contains { $0.count > 500_000 } }
      #expect(hasCrossed)
      let counts = tallies.map(\.count)
      #expect(abs(counts[0] - counts[1]) < 50_000, "\(counts)")
      #expect(waits.allSatisfy { $0.wait() == true })
    }

    @Test func `with a link of its own each connection has the whole rate`() throws {
      let fixture = try ProxyFixture(
        .symmetric(.limited(.kilobytes(20))), factor: 20, isShared: false)
      defer { fixture.stop() }
      let body = seededBytes(200_000, seed: 4)
      let start = monotonicSeconds()
      var waits: [Slot<Double?>] = []
      for _ in 0..<8 {
        let client = try #require(BlockingSocket.connect(port: fixture.port, sendBuffer: 16_000))
        let server = try #require(fixture.server.accept())
        _ = inBackground { client.send(body) }
        waits.append(inBackground { server.receiveTimed(body.count) })
      }
      for wait in waits {
        let rate = try #require(wait.wait() ?? nil)
        #expect(abs(rate / (20_000 * 20) - 1) < 0.05)
      }
      // One after the other, or together on one link, they would take eight times as long.
      #expect(monotonicSeconds() - start < 2 * 0.5)
      #expect(fixture.read()?.upRate == nil, "there is no one rate to tell")
    }
  }
}

extension BlockingSocket {
  /// Bytes per second from the first receipt to the last of `count` bytes; nil when fewer come.
  func receiveTimed(_ count: Int) -> Double? {
    guard let first = receive(), !first.isEmpty else { return nil }
    let start = monotonicSeconds()
    var received = first.count
    while received < count {
      guard let part = receive(), !part.isEmpty else { return nil }
      received += part.count
    }
    return Double(received - first.count) / (monotonicSeconds() - start)
  }
}
