import CLinux
import Glibc
package import Quantities

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let readable = Readiness(rawValue: UInt32(CLinux_readable))
  package static let writable = Readiness(rawValue: UInt32(CLinux_writable))
  /// The connection is broken; reported whether asked for or not.
  package static let failed = Readiness(rawValue: UInt32(CLinux_failed))
  /// Both directions have ended; reported whether asked for or not.
  package static let hungUp = Readiness(rawValue: UInt32(CLinux_hungUp))
  /// The peer has ended its stream, also when what came before is not read.
  package static let peerEnded = Readiness(rawValue: UInt32(CLinux_peerEnded))
}

/// Sockets and timers on the thread that calls ``run()``; its state never leaves that thread.
///
/// epoll says what is ready, one timerfd says what is due: absolute times on the monotonic clock,
/// since `epoll_wait`'s own limit has whole milliseconds. All times given to it are link time; the
/// scale is applied here and nowhere else.
package final class EventLoop {
  package typealias TimerID = TimerQueue<() -> Void>.ID

  /// One watched descriptor.
  ///
  /// A late event for a descriptor that was closed and reused finds no token.
  package struct Watch: Hashable, Sendable {
    fileprivate let token: UInt64
    fileprivate let descriptor: Int32
  }

  private struct Registration {
    var interest: Readiness
    var handler: (Readiness) -> Void
  }

  /// Changing it moves the deadlines of timers that are set: they stand in link time.
  package var scale: TimeScale
  /// How late timers fired, in nanoseconds of the monotonic clock.
  package var lateness = LatenessLog()

  private let epoll: Descriptor
  private let timer: Descriptor
  private var timers = TimerQueue<() -> Void>()
  private var registrations: [UInt64: Registration] = [:]
  private var nextToken: UInt64 = EventLoop.timerToken + 1
  private var running = false

  private static let timerToken: UInt64 = 0
  private static let eventsPerTurn: Int32 = 64

  package init(scale: TimeScale) throws(SystemFailure) {
    self.scale = scale
    epoll = try Descriptor(CLinux_epollCreate(), doing: "making an event queue")
    timer = try Descriptor(CLinux_timerCreate(), doing: "making a timer")
    guard
      CLinux_epollAdd(
        epoll.number, timer.number, Readiness.readable.rawValue, Self.timerToken) == 0
    else { throw SystemFailure("watching the timer") }
  }

  /// The link time now.
  package var now: Instant {
    scale.link(monotonic: CLinux_monotonicNanoseconds())
  }

  /// Calls `action` once, at `deadline` or as soon after it as the loop is free.
  @discardableResult
  package func schedule(at deadline: Instant, _ action: @escaping () -> Void) -> TimerID {
    timers.set(deadline, action)
  }

  package func cancel(_ id: TimerID) {
    timers.cancel(id)
  }

  /// Watches a descriptor, level-triggered, until ``unwatch(_:)``; the caller keeps it open so long.
  package func watch(
    _ descriptor: Descriptor, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemFailure) -> Watch {
    let token = nextToken
    nextToken += 1
    guard CLinux_epollAdd(epoll.number, descriptor.number, interest.rawValue, token) == 0 else {
      throw SystemFailure("watching a descriptor")
    }
    registrations[token] = Registration(interest: interest, handler: handler)
    return Watch(token: token, descriptor: descriptor.number)
  }

  /// Changes what a descriptor is watched for; costs nothing when it stays the same.
  package func setInterest(_ interest: Readiness, of watch: Watch) {
    guard let registration = registrations[watch.token], registration.interest != interest else {
      return
    }
    registrations[watch.token]?.interest = interest
    let changed = CLinux_epollChange(
      epoll.number, watch.descriptor, interest.rawValue, watch.token)
    // Fails only for a descriptor that is closed or was never added: a mistake of the caller.
    precondition(changed == 0, "a watched descriptor is open")
  }

  package func unwatch(_ watch: Watch) {
    guard registrations.removeValue(forKey: watch.token) != nil else { return }
    _ = CLinux_epollRemove(epoll.number, watch.descriptor)
  }

  /// Runs until ``stop()``.
  package func run() throws(SystemFailure) {
    running = true
    var events = [CLinux_Event](
      repeating: CLinux_Event(), count: Int(Self.eventsPerTurn))
    while running {
      arm()
      let count = CLinux_epollWait(epoll.number, &events, Self.eventsPerTurn)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure("waiting for events")
      }
      // Timers first: what is due must not wait behind what has just come in.
      fireDue()
      for event in events.prefix(Int(count)) where running && event.token != Self.timerToken {
        deliver(event)
      }
    }
  }

  /// Ends ``run()`` after the handler that calls it.
  package func stop() {
    running = false
  }

  /// What was asked for when the event came may not be asked for any more, or by nobody.
  private func deliver(_ event: CLinux_Event) {
    guard let registration = registrations[event.token] else { return }
    let readiness = Readiness(rawValue: event.events)
      .intersection(registration.interest.union([.failed, .hungUp]))
    if !readiness.isEmpty { registration.handler(readiness) }
  }

  private func arm() {
    let deadline = timers.next.map { max(1, scale.monotonic($0)) } ?? 0
    _ = CLinux_timerSet(timer.number, deadline == .max ? 0 : deadline)
  }

  private func fireDue() {
    let due = now
    // A timer that a timer sets waits for the next turn, so that sockets get theirs.
    let newest = timers.newest
    while running, let (deadline, action) = timers.popDue(at: due, upTo: newest) {
      lateness.add(CLinux_monotonicNanoseconds() - scale.monotonic(deadline))
      action()
    }
  }
}

extension TimeScale {
  /// A scale whose link time 0 is now, or in some seconds of the monotonic clock.
  package static func starting(inSeconds lead: Double = 0, factor: Double) -> TimeScale {
    TimeScale(epoch: CLinux_monotonicNanoseconds() + Int64(lead * 1e9), factor: factor)
  }
}
