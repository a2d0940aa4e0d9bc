import Bench
import Quantities
import Synchronization
import TestSupport
import Testing

/// The laws of the clock on which all other tests rest.
struct VirtualTimeTests {
  @Test func `sleepers wake in order of deadline, equal ones in the order they came`() throws {
    let time = VirtualTime()
    let woken = Recorder<String>()
    try time.run {
      await withTaskGroup(of: Void.self) { group in
        for (name, seconds) in [("late", 2.0), ("first", 1), ("second", 1), ("soon", 0.5)] {
          group.addTask {
            try? await time.sleep(until: Instant(seconds: seconds))
            woken.record("\(name) \(time.now.seconds)")
          }
        }
      }
    }
    #expect(woken.values == ["soon 0.5", "first 1.0", "second 1.0", "late 2.0"])
  }

  @Test func `a cancelled sleep throws at once and takes no time`() throws {
    let time = VirtualTime()
    let failed = try time.run {
      await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          do {
            try await time.sleep(until: .distantFuture)
            return false
          } catch {
            return error is CancellationError
          }
        }
        group.cancelAll()
        return await group.next() ?? false
      }
    }
    #expect(failed)
    #expect(time.now == .zero)
  }

  @Test func `what waits for nothing is stuck, and is said to be`() {
    let time = VirtualTime()
    #expect(throws: VirtualTime.Stuck.self) {
      try time.run { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
  }

  @Test func `actors and groups run on the one thread`() throws {
    actor Counter {
      var count = 0
      func add() -> Int {
        count += 1
        return count
      }
    }
    let time = VirtualTime()
    let counter = Counter()
    let counts = try time.run {
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<100 { group.addTask { await counter.add() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(counts == Array(1...100))
  }
}

struct LivelockTests {
  @Test func `jobs that wake one another without end are said to be a livelock`() {
    let time = VirtualTime(stepsMax: 1_000)
    #expect(throws: VirtualTime.Livelock.self) {
      try time.run { while true { await Task.yield() } }
    }
  }

  @Test func `a limit on jobs at one instant is no limit on a run`() throws {
    let time = VirtualTime(stepsMax: 100)
    try time.run {
      for second in 1...1_000 { try await time.sleep(until: Instant(seconds: Double(second))) }
    }
    #expect(time.now == Instant(seconds: 1_000))
    #expect(time.jobsRun >= 1_000)
  }

  @Test func `deadlines come up in order, and cancelled ones do not`() throws {
    var random = SeededRandom(seed: 7)
    let time = VirtualTime()
    let fired = Recorder<Int>()
    let seconds = (0..<500).map { _ in Int.random(in: 0..<50, using: &random) }
    let ids = seconds.enumerated().map { number, second in
      time.at(Instant(seconds: Double(second))) { fired.record(number) }
    }
    // Most are cancelled, so that the queue is made anew on the way.
    for number in seconds.indices where number % 5 != 0 { time.cancel(ids[number]) }
    for number in seconds.indices where number % 5 != 0 { time.cancel(ids[number]) }
    let expected = seconds.indices.filter { $0 % 5 == 0 }
      .sorted { (seconds[$0], $0) < (seconds[$1], $1) }
    try time.drive { fired.values.count == expected.count }
    #expect(fired.values == expected)
  }
}
