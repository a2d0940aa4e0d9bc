import Bench
import Reports
import Scenarios
import Testing

/// The published figures, in the virtual world.
struct StoryTests {
  @Test func `before sends the slow copy seven times and lands nothing`() throws {
    let record = try SmallWorld(shipped: "slow-copy").run("before")
    #expect(record.attempts("copy") == [7])
    #expect(record.attempts("original") == [0])
    #expect(abs(Double(record.wire("copy")) / 9.93e6 - 1) < 0.01)
    #expect(record.files.allSatisfy { !$0.landed })
    #expect(record.outcome == .horizon)
    #expect(record.wire.abandoned == record.wire("copy"))
    // Each is cut 71 s after it began, and the sync loop comes back 60 s later.
    let copies = record.requests.filter { $0.step == "copy" }
    #expect(copies.allSatisfy { $0.end == "reset" })
    for (copy, next) in zip(copies, copies.dropFirst()) {
      #expect(abs(next.at - copy.at - 131) < 0.1)
    }
  }

  @Test func `after sends each file of the slow copy once`() throws {
    let record = try SmallWorld(shipped: "slow-copy").run("after")
    #expect(record.files.map(\.attempts) == [1, 1])
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.wire.useful == 5_960_000)
    #expect(record.wire.repeated == 0 && record.wire.abandoned == 0)
    let finished = try #require(record.finishedAt)
    #expect((303.8...304.3).contains(finished))
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
  }

  @Test func `three photos show four labels before, and live lines after`() throws {
    let before = try SmallWorld(shipped: "three-photos").run("before")
    #expect(before.statusLines.distinct == 4)
    #expect(before.statusLines.live == 0)
    #expect(before.files.allSatisfy { $0.landed })
    let after = try SmallWorld(shipped: "three-photos").run("after")
    #expect(after.statusLines.distinct >= 299)
    #expect(after.statusLines.live >= 120)
    let firstLiveAt = try #require(after.statusLines.firstLiveAt)
    #expect(firstLiveAt <= 3.5)
    #expect(after.files.allSatisfy { $0.landed && $0.attempts == 1 })
    #expect(after.exactlyOnce == ExactlyOnceRecord(moments: 3))
  }

  @Test func `the instrument is exact`() throws {
    let record = try SmallWorld(shipped: "slow-copy").run("after")
    let instrument = record.instrument
    #expect(instrument.buffers == [1_430_000, 1_430_000])
    #expect(instrument.upRate == 20_000)
    #expect(instrument.takenIn == instrument.carried)
    #expect(instrument.carried == instrument.engineReceived)
    #expect(instrument.lateness == nil && instrument.clientLateness == nil)
  }

  @Test func `the same seed gives the same record, another seed other lines`() throws {
    var world = try SmallWorld(shipped: "three-photos")
    world.scenario.horizon = .seconds(60)
    let first = try world.run("after")
    var again = try SmallWorld(shipped: "three-photos")
    again.scenario.horizon = .seconds(60)
    let second = try again.run("after")
    #expect(second == first)
    var other = try SmallWorld(shipped: "three-photos")
    other.scenario.horizon = .seconds(60)
    other.scenario.seed = 8
    let third = try other.run("after")
    #expect(third.statusLines != first.statusLines)
  }
}
