import Glibc
import Testing

/// That a virtual run costs what its packets cost, and not their square.
struct SpeedTests {
  /// Built for debugging it takes some 0.6 s; a busy machine takes longer, but hardly more of the
  /// processor.
  private static let secondsMax = 10.0

  @Test func `a quarter of an hour of a slow link takes seconds of one processor`() throws {
    let world = try SmallWorld(shipped: "slow-copy")
    let began = Self.threadSeconds
    let record = try world.run("before")
    let taken = Self.threadSeconds - began
    #expect(record.attempts("copy") == [7])
    #expect(taken < Self.secondsMax)
  }

  /// What this thread alone has used of a processor (clock_gettime(2)).
  private static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
