import Synchronization

/// Collects what is handed to a closure, in order.
package final class Recorder<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  package init() {}

  package func record(_ value: Value) { state.withLock { $0.append(value) } }

  package var values: [Value] { state.withLock { $0 } }
}
