import Quantities
import Testing

@testable import UploadAdapters

struct ScaledClockTests {
  @Test func `link time runs by its factor from its epoch`() {
    let epoch = ScaledClock.monotonic
    let clock = ScaledClock(TimeScale(epoch: epoch, factor: 60))
    let before = ScaledClock.monotonic
    let now = clock.now
    let after = ScaledClock.monotonic
    #expect(now.nanoseconds >= (before - epoch) * 60 - 1)
    #expect(now.nanoseconds <= (after - epoch) * 60)
  }

  @Test func `no sleep of 200 ends early`() async throws {
    let clock = ScaledClock(TimeScale(epoch: ScaledClock.monotonic, factor: 60))
    var lateness: [Duration] = []
    for turn in 0..<200 {
      // 0 to 600 ms of link time: 0 to 10 ms here.
      let deadline = clock.now + .milliseconds(turn * 3)
      try await clock.sleep(until: deadline)
      let late = clock.now - deadline
      #expect(late >= .zero)
      lateness.append(late)
    }
    lateness.sort()
    print(
      "lateness at 60x, link ms: p50 \(lateness[100] / .milliseconds(1)),"
        + " p99 \(lateness[198] / .milliseconds(1))")
  }

  @Test func `a deadline that has passed returns at once, unless the task is cancelled`()
    async throws
  {
    let clock = ScaledClock(TimeScale(epoch: ScaledClock.monotonic, factor: 1))
    try await clock.sleep(until: .zero)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(until: .zero)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.timeLimit(.minutes(1))) func `a cancelled sleep ends at once, however far its deadline`()
    async
  {
    let clock = ScaledClock(TimeScale(epoch: ScaledClock.monotonic, factor: 1))
    let task = Task { try await clock.sleep(until: .distantFuture) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
