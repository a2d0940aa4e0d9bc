import CLinux
package import EventLoop
import Glibc

/// Ctrl-C, the request to end and a terminal that was closed, as something to look at: nothing is cut
/// off in the middle.
///
/// The signal is never taken off the descriptor, so that everyone who looks finds it, on any thread.
package final class Interruption: Sendable {
  private let descriptor: Descriptor

  /// Takes SIGINT, SIGTERM and SIGHUP over, for this thread and those that it starts from now on.
  package init() throws(SystemFailure) {
    // Who starts it with nohup(1) wants it to go on.
    let signals = [SIGINT, SIGTERM] + (Self.isIgnored(SIGHUP) ? [] : [SIGHUP])
    descriptor = try Descriptor(
      CLinux_signalCreate(signals, Int32(signals.count)), doing: "watching for signals")
    // A client that is gone is an error of the write, not the end of the bench.
    CLinux_signalIgnore(SIGPIPE)
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var now = sigaction()
    sigaction(number, nil, &now)
    return unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// One of the signals has come.
  package var hasCome: Bool {
    var asked = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&asked, 1, 0) > 0
  }

  /// Calls `action` on the loop, once, when one comes or has come already.
  ///
  /// The loop holds the action to its end, which must not hold the loop in turn.
  package func watch(
    on loop: EventLoop, _ action: @escaping () -> Void
  ) throws(SystemFailure) {
    var watch: EventLoop.Watch?
    watch = try loop.watch(descriptor, for: .readable) { [unowned loop] _ in
      // It would stay readable.
      if let watch { loop.unwatch(watch) }
      action()
    }
  }
}
