import CLinux
import Foundation
import Synchronization

/// A value that one thread fills and another waits for.
package final class Slot<Value: Sendable>: Sendable {
  private let filled = DispatchSemaphore(value: 0)
  private let value = Mutex<Value?>(nil)

  package init() {}

  package func fill(_ value: Value) {
    self.value.withLock { $0 = value }
    filled.signal()
  }

  /// Waits for the value; nil when it does not come within the limit.
  package func wait(seconds: Double = 60) -> Value? {
    guard filled.wait(timeout: .now() + seconds) == .success else { return nil }
    filled.signal()
    return value.withLock { $0 }
  }
}

/// Runs a blocking body on a thread of its own, and gives its result to whoever waits for it.
package func inBackground<Value: Sendable>(
  _ body: @escaping @Sendable () -> Value
) -> Slot<Value> {
  let slot = Slot<Value>()
  Thread.detachNewThread { slot.fill(body()) }
  return slot
}

/// Seconds on the monotonic clock.
package func monotonicSeconds() -> Double {
  Double(CLinux_monotonicNanoseconds()) / 1e9
}
