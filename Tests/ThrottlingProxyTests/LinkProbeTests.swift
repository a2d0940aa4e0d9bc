import EventLoop
import LinkModel
import Quantities
import Testing
import ThrottlingProxy

extension RealTime {
  @Suite struct LinkProbeTests {
    @Test(arguments: [(20.0, 1.43, 60.0), (61.4, 0.064, 20.0)])
    func `a probe finds what was asked`(rate: Double, buffer: Double, factor: Double) throws {
      let reading = try LinkProbe.measure(
        LinkConditions(
          up: DirectionConditions(rate: .limited(.kilobytes(rate)), latency: .milliseconds(100)),
          down: DirectionConditions(rate: .limited(.kilobytes(200)), latency: .milliseconds(100)),
          buffer: .megabytes(buffer)),
        on: EventLoop(scale: .starting(factor: factor)))
      #expect(abs(try #require(reading.rate) / (rate * 1_000) - 1) < 0.02)
      let declared = buffer * 1e6
      #expect(abs(try #require(reading.buffer) - declared) < max(declared * 0.02, 8_760))
      for latency in [reading.latencyUp, reading.latencyDown] {
        let seconds = try #require(latency).inSeconds
        #expect(seconds >= 0.1 && seconds < 0.1 + 0.005 * factor)
      }
    }

    @Test func `a probe of a link that carries nothing measures nothing, and ends`() throws {
      let nothing = DirectionConditions(rate: .offline)
      let reading = try LinkProbe.measure(
        LinkConditions(up: nothing, down: nothing),
        on: EventLoop(scale: .starting(factor: 60)))
      #expect(reading.rate == nil && reading.buffer == nil && reading.latencyUp == nil)
    }
  }
}
