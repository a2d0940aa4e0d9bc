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
  package typealias TimerID = DeadlineQueue.ID

  /// One watched descriptor.
  ///
  /// A late event for a descriptor that is not watched any more finds a place of another generation.
  package struct Watch: Hashable, Sendable {
    fileprivate let place: UInt32
    fileprivate let generation: UInt32
    fileprivate let descriptor: Int32

    fileprivate var token: UInt64 { UInt64(generation) << 32 | UInt64(place) }
  }

  private struct Registration {
    /// Of the watch that has the place, or, while none has, of the next one.
    var generation: UInt32 = 0
    var interest: Readiness = []
    /// Nil while nothing is watched here.
    var handler: ((Readiness) -> Void)?
  }

  /// Changing it moves the deadlines of timers that are set: they stand in link time.
  package var scale: TimeScale
  /// How late timers fired, in nanoseconds of the monotonic clock.
  package var lateness = LatenessLog()

  /// Called in each turn, before the loop waits for what comes next: for work that is cheaper done
  /// together.
  package var beforeWaiting: (() -> Void)?

  private let epoll: Descriptor
  private let timer: Descriptor
  private var deadlines = DeadlineQueue()
  /// What is done at each, by its place.
  private var actions: [(() -> Void)?] = []
  private var registrations: [Registration] = []
  private var freePlaces: [UInt32] = []
  /// What the timer is set to, on the monotonic clock; zero when it is not, nil when that is unknown.
  private var armed: Int64? = 0
  /// When timers fired last, on the monotonic clock.
  private var firedAt = Int64.min
  private var running = false

  /// In link time: the loop comes back to its timers no sooner, so that what is due in the meantime
  /// fires together, and thousands of packets a second do not each cost a turn.
  private static let timerRest = Duration.microseconds(250)
  /// No watch ever has it: the places would not fit into memory.
  private static let timerToken = UInt64.max
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
    let id = deadlines.set(deadline)
    if id.place == actions.count { actions.append(action) } else { actions[id.place] = action }
    return id
  }

  package func cancel(_ id: TimerID) {
    if deadlines.cancel(id) { actions[id.place] = nil }
  }

  /// Watches a descriptor, level-triggered, until ``unwatch(_:)``; the caller keeps it open so long.
  package func watch(
    _ descriptor: Descriptor, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
  ) throws(SystemFailure) -> Watch {
    let place = freePlaces.popLast() ?? UInt32(registrations.count)
    if place == registrations.count { registrations.append(Registration()) }
    let watch = Watch(
      place: place, generation: registrations[Int(place)].generation,
      descriptor: descriptor.number)
    guard CLinux_epollAdd(epoll.number, descriptor.number, interest.rawValue, watch.token) == 0
    else {
      freePlaces.append(place)
      throw SystemFailure("watching a descriptor")
    }
    registrations[Int(place)].interest = interest
    registrations[Int(place)].handler = handler
    return watch
  }

  /// Changes what a descriptor is watched for; costs nothing when it stays the same.
  package func setInterest(_ interest: Readiness, of watch: Watch) {
    let place = Int(watch.place)
    guard isCurrent(watch), registrations[place].interest != interest else { return }
    registrations[place].interest = interest
    let changed = CLinux_epollChange(
      epoll.number, watch.descriptor, interest.rawValue, watch.token)
    // Fails only for a descriptor that is closed or was never added: a mistake of the caller.
    precondition(changed == 0, "a watched descriptor is open")
  }

  package func unwatch(_ watch: Watch) {
    guard isCurrent(watch) else { return }
    registrations[Int(watch.place)] = Registration(generation: watch.generation &+ 1)
    freePlaces.append(watch.place)
    _ = CLinux_epollRemove(epoll.number, watch.descriptor)
  }

  private func isCurrent(_ watch: Watch) -> Bool {
    registrations[Int(watch.place)].generation == watch.generation
  }

  /// Runs until ``stop()``.
  package func run() throws(SystemFailure) {
    running = true
    var events = [CLinux_Event](
      repeating: CLinux_Event(), count: Int(Self.eventsPerTurn))
    while running {
      beforeWaiting?()
      arm()
      let count = CLinux_epollWait(epoll.number, &events, Self.eventsPerTurn)
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemFailure("waiting for events")
      }
      // Timers first: what is due must not wait behind what has just come in.
      fireDue()
      for index in 0..<Int(count) where running {
        // A timer that has run out stays readable until it is set again.
        if events[index].token == Self.timerToken { armed = nil } else { deliver(events[index]) }
      }
    }
  }

  /// Ends ``run()`` after the handler that calls it.
  package func stop() {
    running = false
  }

  /// What was asked for when the event came may not be asked for any more, or by nobody.
  private func deliver(_ event: CLinux_Event) {
    let registration = registrations[Int(truncatingIfNeeded: event.token & 0xffff_ffff)]
    guard registration.generation == UInt32(event.token >> 32), let handler = registration.handler
    else { return }
    let readiness = Readiness(rawValue: event.events)
      .intersection(registration.interest.union([.failed, .hungUp]))
    if !readiness.isEmpty { handler(readiness) }
  }

  /// Sets the timer, unless it is set to the same time already: most turns change nothing.
  private func arm() {
    var deadline = deadlines.next.map { max(1, scale.monotonic($0)) } ?? 0
    if deadline == .max { deadline = 0 }
    if deadline > 0 {
      let rest = Int64(Double(Self.timerRest.nanoseconds) / scale.factor)
      deadline = max(deadline, firedAt.adding(saturating: rest))
    }
    guard deadline != armed else { return }
    armed = CLinux_timerSet(timer.number, deadline) == 0 ? deadline : nil
  }

  private func fireDue() {
    let monotonic = CLinux_monotonicNanoseconds()
    let due = scale.link(monotonic: monotonic)
    // A timer that a timer sets waits for the next turn, so that sockets get theirs.
    let setSoFar = deadlines.setSoFar
    while running, let (deadline, place) = deadlines.popDue(at: due, amongFirst: setSoFar) {
      lateness.add(CLinux_monotonicNanoseconds() - scale.monotonic(deadline))
      firedAt = monotonic
      let action = actions[place]
      actions[place] = nil
      action?()
    }
  }
}

extension TimeScale {
  /// A scale whose link time 0 is now, or in some seconds of the monotonic clock.
  package static func starting(inSeconds lead: Double = 0, factor: Double) -> TimeScale {
    TimeScale(epoch: CLinux_monotonicNanoseconds() + Int64(lead * 1e9), factor: factor)
  }
}
