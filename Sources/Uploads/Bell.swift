package import Quantities

/// Wakes one waiting loop, or lets it sleep until a deadline.
///
/// It carries no message: who rings has first put down what is wanted where the loop looks, and the
/// loop looks before it waits. So a ring between looking and waiting is kept, and rings that meet
/// are one. An AsyncStream would not do: cancelling one that is being awaited finishes it.
package actor Bell {
  private var rung = false
  private var expired = false
  private var waiter: CheckedContinuation<Void, Never>?

  package init() {}

  package func ring() {
    rung = true
    wake()
  }

  /// Returns when it rings, or has rung since the last wait, at the deadline, or when the task is
  /// cancelled.
  ///
  /// For one waiter at a time.
  package func wait(until deadline: Instant, on clock: any LinkClock) async {
    expired = false
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        // Cancellation ends the sleep too, and so the wait.
        try? await clock.sleep(until: deadline)
        await self.expire()
      }
      await withCheckedContinuation { continuation in
        if rung || expired { continuation.resume() } else { waiter = continuation }
      }
      group.cancelAll()
    }
    rung = false
  }

  private func expire() {
    expired = true
    wake()
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
