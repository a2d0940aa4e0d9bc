package import Quantities

/// Timers in order of deadline; equal deadlines in the order in which they were set.
package struct TimerQueue<Action> {
  /// Names one timer; never used again.
  package struct ID: Hashable, Sendable {
    fileprivate let sequence: UInt64
  }

  private struct Entry {
    var deadline: Instant
    var sequence: UInt64

    func isBefore(_ other: Entry) -> Bool {
      (deadline, sequence) < (other.deadline, other.sequence)
    }
  }

  private var heap: [Entry] = []
  /// Cancelled timers are no longer here; their entries leave the heap when they come up.
  private var actions: [UInt64: Action] = [:]
  private var sequence: UInt64 = 0

  package init() {}

  package mutating func set(_ deadline: Instant, _ action: Action) -> ID {
    sequence += 1
    actions[sequence] = action
    heap.append(Entry(deadline: deadline, sequence: sequence))
    siftUp(heap.count - 1)
    return ID(sequence: sequence)
  }

  package mutating func cancel(_ id: ID) {
    actions[id.sequence] = nil
    // Limits set far ahead and cancelled one after another must not pile up until they come up.
    guard heap.count > 64, heap.count > 2 * actions.count else { return }
    heap.removeAll { actions[$0.sequence] == nil }
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
  }

  /// The earliest deadline; nil when no timer is set.
  package var next: Instant? {
    mutating get {
      while let first = heap.first {
        if actions[first.sequence] != nil { return first.deadline }
        removeFirst()
      }
      return nil
    }
  }

  /// The timer that was set last.
  package var newest: ID { ID(sequence: sequence) }

  /// Removes and returns the earliest timer, if it is due at `now` and was set no later than `last`.
  package mutating func popDue(at now: Instant, upTo last: ID) -> (
    deadline: Instant, action: Action
  )? {
    guard let deadline = next, deadline <= now, heap[0].sequence <= last.sequence else {
      return nil
    }
    let first = heap[0]
    removeFirst()
    return actions.removeValue(forKey: first.sequence).map { (deadline, $0) }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].isBefore(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].isBefore(heap[least]) { least = child }
      }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
