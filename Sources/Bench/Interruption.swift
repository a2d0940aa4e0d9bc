import CLinux
package import EventLoop
import Glibc

/// Ctrl-C and the request to end, as something to read: nothing is cut off in the middle.
package final class Interruption {
  private let descriptor: Descriptor
  private var wasSeen = false

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
    while CLinux_signalRead(descriptor.number) != 0 { wasSeen = true }
    return wasSeen
  }

  /// Calls `action` on the loop when one comes, and at once when one has come already.
  package func watch(
    on loop: EventLoop, _ action: @escaping () -> Void
  ) throws(SystemFailure) {
    _ = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
      if hasCome { action() }
    }
    if hasCome { loop.schedule(at: loop.now, action) }
  }
}
