import CLinux
package import EventLoop
import Glibc
import Synchronization

/// Carries actions from other threads to the thread of an event loop.
package final class Mailbox: Sendable {
  private let waiting = Mutex<[@Sendable () -> Void]>([])
  /// A byte in the pipe says that something waits.
  private let bell: (output: Descriptor, input: Descriptor)

  /// Makes a mailbox whose actions run on `loop`'s thread for as long as the loop lives.
  package init(of loop: EventLoop) throws(SystemFailure) {
    var ends: [Int32] = [-1, -1]
    guard CLinux_pipe(&ends) == 0 else { throw SystemFailure("making a mailbox") }
    bell = (
      try Descriptor(ends[0], doing: "making a mailbox"),
      try Descriptor(ends[1], doing: "making a mailbox")
    )
    // The loop keeps the handler, and so the mailbox, for as long as it lives.
    _ = try loop.watch(bell.output, for: .readable) { [self] _ in
      var byte: UInt8 = 0
      _ = read(bell.output.number, &byte, 1)
      for action in takeAll() { action() }
    }
  }

  package func post(_ action: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(action) }
    var byte: UInt8 = 1
    _ = write(bell.input.number, &byte, 1)
  }

  private func takeAll() -> [@Sendable () -> Void] {
    waiting.withLock { actions in
      defer { actions = [] }
      return actions
    }
  }
}
