import Glibc
import LinkModel
import Quantities
import TestSupport
import Testing
import ThrottlingProxy

extension RealTime {
  @Suite struct BufferTests {
    struct Case: Sendable, CustomTestStringConvertible {
      var buffer: ByteCount
      var rate: DataRate
      var factor: Double
      var tolerance: Int
      var sendBuffer: Int32 = 16_000

      var testDescription: String { "\(buffer) at \(rate), \(factor)x" }
    }

    static let cases = [
      Case(buffer: .megabytes(1.43), rate: .kilobytes(20), factor: 60, tolerance: 7_150),
      Case(buffer: .kilobytes(64), rate: .kilobytes(20), factor: 60, tolerance: 4_380),
      Case(buffer: .kilobytes(64), rate: .kilobytes(200), factor: 1, tolerance: 4_380),
      Case(
        buffer: .kilobytes(32), rate: .kilobytes(61.4), factor: 60, tolerance: 4_380,
        sendBuffer: 4_608),
    ]

    @Test(arguments: cases)
    func `a full buffer holds what was declared, kernels included`(_ given: Case) throws {
      let fixture = try ProxyFixture(
        LinkConditions(
          up: DirectionConditions(rate: .limited(given.rate), latency: .milliseconds(100)),
          down: DirectionConditions(rate: .unlimited), buffer: given.buffer),
        factor: given.factor)
      defer { fixture.stop() }
      let client = try #require(
        BlockingSocket.connect(port: fixture.port, sendBuffer: given.sendBuffer))
      let server = try #require(fixture.server.accept())
      let handed = ByteTally()
      let received = ByteTally()
      let sent = inBackground { client.push(seededBytes(16_000_000, seed: 1), counting: handed) }
      let drained = inBackground { server.drain(counting: received) }
      let isFull = eventually { fixture.read()?.isFull == true }
      #expect(isFull)
      usleep(300_000)

      var sum = 0
      var samples = 0
      let end = monotonicSeconds() + 1.5
      while monotonicSeconds() < end {
        let before = handed.count
        let reading = try #require(fixture.read())
        let after = handed.count
        // The client's own count; it may be in the middle of a write.
        #expect(reading.handedOver >= before && reading.handedOver <= after + 1_460)
        sum += reading.handedOver - reading.up.carried - reading.propagating
        samples += 1
        usleep(2_000)
      }
      let mean = sum / samples
      #expect(abs(mean - given.buffer.bytes) <= given.tolerance)
      let last = try #require(fixture.read())
      #expect(last.retransmissions == 0)
      // At 1x a packet may take longer than the 200 ms after which a window is probed.
      if given.factor == 60 { #expect(last.zeroWindowProbes == 0) }
      fixture.stopProxy()
      #expect(sent.wait() == false)
      #expect(drained.wait() == false)
    }
  }
}
