import CLinux
package import EventLoop
import Glibc

/// Ctrl-C and the request to end, as something to look at: nothing is cut off in the middle.
///
/// The signal is never taken off the descriptor, so that everyone who looks finds it, on any thread.
package final class Interruption: Sendable {
  private let descriptor: Descriptor

  /// Takes SIGINT and SIGTERM over, for this thread and those that it starts from now on.
  package init() throws(SystemFailure) {
    let signals = [SIGINT, SIGTERM]
    descriptor = try Descriptor(
      CLinux_signalCreate(signals, Int32(signals.count)), doing: "watching for signals")
    // A client that is gone is an error of the write, not the end of the bench.
    CLinux_signalIgnore(SIGPIPE)
  }

  /// One of the signals has come.
  package var hasCome: Bool {
    var asked = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return poll(&asked, 1, 0) > 0
  }

  /// Calls `action` on the loop, once, when one comes or has come already.
  package func watch(
    on loop: EventLoop, _ action: @escaping () -> Void
  ) throws(SystemFailure) {
    var watch: EventLoop.Watch?
    watch = try loop.watch(descriptor, for: .readable) { _ in
      // It would stay readable.
      if let watch { loop.unwatch(watch) }
      action()
    }
  }
}
