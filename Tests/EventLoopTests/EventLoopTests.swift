import CLinux
import EventLoop
import Glibc
import Quantities
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct EventLoopTests {
  private func makeLoop(factor: Double = 1) throws -> EventLoop {
    try EventLoop(scale: TimeScale(epoch: CLinux_monotonicNanoseconds(), factor: factor))
  }

  @Test func `timers fire in order and never early`() throws {
    let loop = try makeLoop(factor: 20)
    var random = SeededRandom(seed: 1)
    var fired: [Int] = []
    let deadlines = (0..<200).map { _ in
      Instant(seconds: Double(Int.random(in: 1...400, using: &random)) / 100)
    }
    for (index, deadline) in deadlines.enumerated() {
      loop.schedule(at: deadline) {
        #expect(loop.now >= deadline)
        fired.append(index)
        if fired.count == deadlines.count { loop.stop() }
      }
    }
    try loop.run()
    #expect(fired == deadlines.indices.sorted { (deadlines[$0], $0) < (deadlines[$1], $1) })
    #expect(loop.lateness.count == 200)
    #expect(loop.now < Instant(seconds: 20))
  }

  @Test func `a deadline between two milliseconds is kept`() throws {
    let loop = try makeLoop()
    var now = Instant.zero
    let deadline = loop.now + .microseconds(1_300)
    loop.schedule(at: deadline) {
      now = loop.now
      loop.stop()
    }
    try loop.run()
    #expect(now >= deadline)
  }

  @Test func `a timer that sets itself for now leaves the sockets their turn`() throws {
    let loop = try makeLoop()
    let (listener, port) = try #require(BlockingSocket.listen())
    let client = try TCPSocket.connect(to: SocketAddress(port: port))
    let server = try #require(listener.accept())
    var rounds = 0
    func again() {
      rounds += 1
      loop.schedule(at: loop.now, again)
    }
    again()
    loop.schedule(at: loop.now + .milliseconds(20)) { server.send([1]) }
    let watch = try loop.watch(client.descriptor, for: .readable) { _ in loop.stop() }
    loop.schedule(at: loop.now + .seconds(10)) {
      Issue.record("the socket had no turn")
      loop.stop()
    }
    try loop.run()
    loop.unwatch(watch)
    #expect(rounds > 10)
  }

  @Test func `a timer that was cancelled does not fire, not even by one due with it`() throws {
    let loop = try makeLoop()
    var fired: [String] = []
    var second: EventLoop.TimerID?
    loop.schedule(at: .zero) {
      fired.append("first")
      second.map(loop.cancel)
    }
    second = loop.schedule(at: .zero) { fired.append("second") }
    let third = loop.schedule(at: .zero + .milliseconds(1)) { fired.append("third") }
    loop.cancel(third)
    loop.schedule(at: loop.now + .milliseconds(20)) { loop.stop() }
    try loop.run()
    #expect(fired == ["first"])
  }

  @Test func `what a timer would do is let go of as it fires or is cancelled`() throws {
    final class Token {}
    let loop = try makeLoop()
    var token: Token? = Token()
    weak let seen = token
    let far = loop.schedule(at: .distantFuture) { [token] in _ = token }
    loop.schedule(at: .zero) { [token] in _ = token }
    token = nil
    loop.schedule(at: .zero) {
      #expect(seen != nil)
      loop.cancel(far)
      #expect(seen == nil)
      loop.stop()
    }
    try loop.run()
  }

  @Test func `changing the scale moves the deadlines`() throws {
    let start = monotonicSeconds()
    let loop = try makeLoop()
    loop.schedule(at: .zero + .seconds(100)) { loop.stop() }
    loop.schedule(at: .zero + .milliseconds(10)) { loop.scale.factor = 1_000 }
    try loop.run()
    let time = monotonicSeconds() - start
    #expect(time >= 0.1 && time < 5)
  }

  @Test func `stopping in a handler ends the turn`() throws {
    let loop = try makeLoop()
    var fired = 0
    for _ in 0..<3 {
      loop.schedule(at: .zero) {
        fired += 1
        loop.stop()
      }
    }
    for expected in 1...3 {
      try loop.run()
      #expect(fired == expected)
    }
  }

  @Test func `an event for a descriptor that was closed and used again reaches nobody`() throws {
    let loop = try makeLoop()
    let (listener, port) = try #require(BlockingSocket.listen())
    // Both are ready in the same turn; whichever comes first closes the other and lets a new
    // socket have its number, which has nothing to read.
    var sockets: [TCPSocket?] = []
    var watches: [EventLoop.Watch] = []
    var peers: [BlockingSocket] = []
    var reused: [(TCPSocket, EventLoop.Watch)] = []
    var calls = 0
    for index in 0..<2 {
      let socket = try TCPSocket.connect(to: SocketAddress(port: port))
      let peer = try #require(listener.accept())
      peer.send([1])
      sockets.append(socket)
      peers.append(peer)
      watches.append(
        try loop.watch(socket.descriptor, for: .readable) { _ in
          calls += 1
          loop.unwatch(watches[index])
          let other = 1 - index
          guard let number = sockets[other]?.descriptor.number else { return }
          loop.unwatch(watches[other])
          do {
            // In one step, so that no other test can get the number in between.
            let new = try TCPSocket.connect(to: SocketAddress(port: port))
            #expect(dup2(new.descriptor.number, number) == number)
            let watch = try loop.watch(try #require(sockets[other]).descriptor, for: .readable) {
              _ in Issue.record("a stale event was delivered")
            }
            reused.append((new, watch))
          } catch {
            Issue.record(error)
          }
        })
    }
    usleep(20_000)
    loop.schedule(at: loop.now + .milliseconds(50)) { loop.stop() }
    try loop.run()
    #expect(calls == 1 && reused.count == 1)
  }

  @Test func `interest decides what is reported`() throws {
    let loop = try makeLoop()
    let (listener, port) = try #require(BlockingSocket.listen())
    let client = try TCPSocket.connect(to: SocketAddress(port: port))
    let server = try #require(listener.accept())
    server.send([1])
    var seen: [Readiness] = []
    let watch = try loop.watch(client.descriptor, for: []) { seen.append($0) }
    let start = loop.now
    loop.schedule(at: start + .milliseconds(20)) {
      #expect(seen == [])
      loop.setInterest(.writable, of: watch)
    }
    loop.schedule(at: start + .milliseconds(40)) {
      #expect(!seen.isEmpty && seen.allSatisfy { $0 == .writable })
      seen = []
      loop.setInterest(.readable, of: watch)
    }
    loop.schedule(at: start + .milliseconds(60)) {
      #expect(!seen.isEmpty && seen.allSatisfy { $0 == .readable })
      loop.unwatch(watch)
      seen = []
    }
    loop.schedule(at: start + .milliseconds(80)) { loop.stop() }
    try loop.run()
    #expect(seen == [])
  }

  @Test func `a mailbox brings actions of other threads, each thread's in order`() throws {
    final class Received {
      var numbers: [[Int]] = [[], [], [], []]
    }
    let thread = try LoopThread { _ in Received() }
    defer { thread.stop() }
    let mailbox = try #require(thread.ask { loop, _ in try? Mailbox(of: loop) } ?? nil)
    let arrived = Slot<Bool>()
    struct Confined: @unchecked Sendable {
      // Only ever used on the loop's thread.
      let received: Received
    }
    let confined = try #require(thread.ask { _, received in Confined(received: received) })
    for sender in 0..<4 {
      _ = inBackground {
        for number in 0..<1_000 {
          mailbox.post {
            confined.received.numbers[sender].append(number)
            if confined.received.numbers.allSatisfy({ $0.count == 1_000 }) { arrived.fill(true) }
          }
        }
      }
    }
    #expect(arrived.wait(seconds: 20) == true)
    #expect(
      thread.ask { _, received in received.numbers } == Array(repeating: Array(0..<1_000), count: 4)
    )
  }

  @Test func `an action may post another`() throws {
    let thread = try LoopThread { _ in () }
    defer { thread.stop() }
    let mailbox = try #require(thread.ask { loop, _ in try? Mailbox(of: loop) } ?? nil)
    let done = Slot<Bool>()
    mailbox.post { mailbox.post { mailbox.post { done.fill(true) } } }
    #expect(done.wait(seconds: 10) == true)
  }
}
