import EventLoop
import Quantities
import Testing

struct AlarmTests {
  @Test func `an alarm rings at the last deadline it was set to, and once`() throws {
    let loop = try EventLoop(scale: .starting(factor: 1))
    var rung: [Instant] = []
    let alarm = Alarm(on: loop) { rung.append(loop.now) }
    let due = loop.now + .milliseconds(20)
    alarm.set(to: loop.now + .milliseconds(5))
    alarm.set(to: due)
    alarm.set(to: due)
    loop.schedule(at: loop.now + .milliseconds(60)) { loop.stop() }
    try loop.run()
    #expect(rung.count == 1)
    #expect(rung.allSatisfy { $0 >= due })
  }

  @Test func `an alarm that is set to nothing, or let go of, does not ring`() throws {
    let loop = try EventLoop(scale: .starting(factor: 1))
    var rung = 0
    let silenced = Alarm(on: loop) { rung += 1 }
    var released: Alarm? = Alarm(on: loop) { rung += 1 }
    silenced.set(to: loop.now + .milliseconds(5))
    released?.set(to: loop.now + .milliseconds(5))
    silenced.set(to: nil)
    released = nil
    loop.schedule(at: loop.now + .milliseconds(30)) { loop.stop() }
    try loop.run()
    #expect(rung == 0)
  }

  @Test func `an alarm can be set again while it rings`() throws {
    let loop = try EventLoop(scale: .starting(factor: 1))
    var rung = 0
    var alarm: Alarm?
    alarm = Alarm(on: loop) {
      rung += 1
      rung < 3 ? alarm?.set(to: loop.now + .milliseconds(1)) : loop.stop()
    }
    alarm?.set(to: loop.now)
    try loop.run()
    #expect(rung == 3)
    alarm = nil
  }
}
