import Bench
import Quantities
import TestSupport
import Testing
import Uploads

struct PassScheduleTests {
  private let later = Instant(seconds: 10)

  @Test func `a drain is due when asked for, and 60 s after any pass`() {
    var schedule = PassSchedule(.after, now: .zero)
    #expect(!schedule.isDue(at: Instant(seconds: 59.9)))
    #expect(schedule.isDue(at: Instant(seconds: 60)))
    schedule.ask()
    #expect(schedule.isDue(at: .zero))
    schedule.begin()
    schedule.end(well: false, now: later)
    #expect(!schedule.isDue(at: Instant(seconds: 69.9)))
    #expect(schedule.syncDue == Instant(seconds: 70))
  }

  @Test func `a pause of nothing is still a pause`() {
    var policy = UploadPolicy.after
    policy.syncPause = .zero
    #expect(PassSchedule(policy, now: later).syncDue == later + .seconds(1))
  }

  @Test func `coalescing, drains asked for during a pass are one more pass`() {
    var schedule = PassSchedule(.after, now: .zero)
    schedule.begin()
    for _ in 0..<5 { schedule.ask() }
    schedule.end(well: true, now: later)
    #expect(schedule.isDue(at: later))
    schedule.begin()
    schedule.end(well: true, now: later)
    #expect(!schedule.isDue(at: later))
  }

  @Test func `not coalescing, they are dropped`() {
    var schedule = PassSchedule(.before, now: .zero)
    schedule.begin()
    schedule.ask()
    schedule.end(well: true, now: later)
    #expect(!schedule.isDue(at: later))
    schedule.ask()
    #expect(schedule.isDue(at: later))
  }

  @Test func `a pass that failed drops them in any case`() {
    var schedule = PassSchedule(.after, now: .zero)
    schedule.begin()
    schedule.ask()
    schedule.end(well: false, now: later)
    #expect(!schedule.isDue(at: later))
  }
}

struct BellTests {
  @Test func `a bell wakes its waiter, keeps a ring, and gives up at the deadline`() throws {
    let time = VirtualTime()
    let woken = try time.run {
      let bell = Bell()
      var woken: [Double] = []
      await bell.wait(until: Instant(seconds: 1), on: time)
      woken.append(time.now.seconds)
      // Nothing of the deadline is left over.
      await bell.wait(until: Instant(seconds: 2), on: time)
      woken.append(time.now.seconds)
      await bell.ring()
      await bell.wait(until: Instant(seconds: 9), on: time)
      woken.append(time.now.seconds)
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          try? await time.sleep(until: Instant(seconds: 3))
          await bell.ring()
          await bell.ring()
        }
        await bell.wait(until: Instant(seconds: 9), on: time)
      }
      woken.append(time.now.seconds)
      return woken
    }
    #expect(woken == [1, 2, 2, 3])
  }

  @Test func `a cancelled wait returns, and the bell works on`() throws {
    let time = VirtualTime()
    let woken = try time.run {
      let bell = Bell()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await bell.wait(until: .distantFuture, on: time) }
        group.addTask { try? await time.sleep(until: Instant(seconds: 1)) }
        await group.next()
        group.cancelAll()
      }
      await bell.wait(until: Instant(seconds: 4), on: time)
      return time.now.seconds
    }
    #expect(woken == 4)
  }
}
