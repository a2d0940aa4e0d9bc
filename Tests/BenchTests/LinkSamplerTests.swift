import Quantities
import Reports
import Testing

@testable import Bench
@testable import ThrottlingProxy

struct LinkSamplerTests {
  private func reading(
    handedOver: Int, carried: Int = 0, discarded: Int = 0, lost: Int = 0, propagating: Int = 0,
    isFull: Bool = true
  ) -> LinkProxy.Reading {
    var up = LaneFlow()
    up.carried = carried
    up.discarded = discarded
    return LinkProxy.Reading(
      up: up, down: LaneFlow(), handedOver: handedOver, lostInKernel: lost,
      propagating: propagating, isFull: isFull, holding: 1, upRate: nil, downRate: nil,
      connections: 1,
      retransmissions: 0, zeroWindowProbes: 0)
  }

  /// Adds readings a tenth of a second apart, all within one attempt.
  private func add(
    _ readings: [LinkProxy.Reading], received: Int, attempt: Int = 1,
    to sampler: inout LinkSampler
  ) {
    for (number, reading) in readings.enumerated() {
      sampler.add(
        reading, engineReceived: received, attempts: attempt, claimed: nil,
        at: Instant(seconds: Double(number) / 10))
    }
  }

  @Test func `every sample is a point of the timeline`() {
    var sampler = LinkSampler()
    for (seconds, claimed) in [(0.0, nil), (0.1, 5), (0.2, 7)] as [(Double, Int?)] {
      sampler.add(
        reading(handedOver: 10, carried: 3, isFull: false), engineReceived: 2, attempts: 1,
        claimed: claimed, at: Instant(seconds: seconds))
    }
    #expect(sampler.timeline.map(\.at) == [0, 0.1, 0.2])
    #expect(sampler.timeline.map(\.handedOver) == [10, 10, 10])
    #expect(sampler.timeline.map(\.carried) == [3, 3, 3])
    #expect(sampler.timeline.map(\.claimed) == [nil, 5, 7])
    #expect(sampler.buffers.isEmpty)
  }

  @Test func `the buffer is what was handed over and is neither received nor on its way`() {
    var sampler = LinkSampler()
    let held = [1_000, 1_010, 1_020, 1_030, 1_040]
    add(
      held.map { reading(handedOver: 500 + 40 + $0, propagating: 40) }, received: 500,
      to: &sampler)
    #expect(sampler.buffers.isEmpty)
    sampler.endAttempt()
    #expect(sampler.buffers == [1_020])
  }

  @Test func `what resets threw away is held no more`() {
    var sampler = LinkSampler()
    add(
      Array(repeating: reading(handedOver: 2_000, discarded: 700, lost: 100), count: 5),
      received: 300, to: &sampler)
    sampler.endAttempt()
    #expect(sampler.buffers == [900])
  }

  @Test func `only while a sender is kept waiting is there a buffer to read`() {
    var sampler = LinkSampler()
    let full = reading(handedOver: 1_000)
    let filling = reading(handedOver: 10, isFull: false)
    add([filling, full, full, filling, full, full, full], received: 0, to: &sampler)
    sampler.endAttempt()
    #expect(sampler.buffers == [1_000])
  }

  @Test func `each attempt has a mean of its own, and a short one has none`() {
    var sampler = LinkSampler()
    add(
      Array(repeating: reading(handedOver: 1_000), count: 5), received: 0, attempt: 1,
      to: &sampler)
    add(
      Array(repeating: reading(handedOver: 9_000), count: 4), received: 0, attempt: 2,
      to: &sampler)
    add(
      Array(repeating: reading(handedOver: 3_000), count: 6), received: 0, attempt: 3,
      to: &sampler)
    #expect(sampler.buffers == [1_000])
    sampler.endAttempt()
    #expect(sampler.buffers == [1_000, 3_000])
    sampler.endAttempt()
    #expect(sampler.buffers == [1_000, 3_000])
  }
}
