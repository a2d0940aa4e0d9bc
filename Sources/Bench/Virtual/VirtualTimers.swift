package import Quantities

/// Deadlines in order; equal ones in the order in which they were set.
///
/// The queue of the real event loop does the same for any action. This one is for one kind and
/// looks nothing up by hashing: some are set and cancelled for each simulated packet. One generic
/// queue for both, slots and all, made virtual runs take half as long again.
package struct VirtualTimers {
  package typealias Act = @Sendable () -> Void

  /// Names one deadline; never used again.
  package struct ID: Hashable, Sendable {
    fileprivate let sequence: UInt64
    fileprivate let slot: Int
  }

  private struct Entry {
    var deadline: Instant
    var sequence: UInt64
    var slot: Int

    func isBefore(_ other: Entry) -> Bool {
      deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
    }
  }

  /// What an entry of the heap does.
  private struct Slot {
    var sequence: UInt64
    /// Nil once it was cancelled; the entry leaves the heap when it comes up.
    var act: Act?
  }

  private var heap: [Entry] = []
  private var slots: [Slot] = []
  private var freeSlots: [Int] = []
  private var sequence: UInt64 = 0
  private var cancelled = 0

  package init() {}

  package mutating func set(_ deadline: Instant, _ act: @escaping Act) -> ID {
    sequence += 1
    let slot: Int
    if let free = freeSlots.popLast() {
      slot = free
      slots[slot] = Slot(sequence: sequence, act: act)
    } else {
      slot = slots.count
      slots.append(Slot(sequence: sequence, act: act))
    }
    heap.append(Entry(deadline: deadline, sequence: sequence, slot: slot))
    siftUp(heap.count - 1)
    return ID(sequence: sequence, slot: slot)
  }

  /// Does nothing when it has come up.
  package mutating func cancel(_ id: ID) {
    guard slots[id.slot].sequence == id.sequence, slots[id.slot].act != nil else { return }
    slots[id.slot].act = nil
    cancelled += 1
    // Limits set far ahead and cancelled one after another must not pile up until they come up.
    guard heap.count > 64, heap.count < 2 * cancelled else { return }
    for entry in heap where slots[entry.slot].act == nil { freeSlots.append(entry.slot) }
    heap.removeAll { slots[$0.slot].act == nil }
    cancelled = 0
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
  }

  /// Removes and returns the earliest; nil when none is set.
  package mutating func popFirst() -> (deadline: Instant, act: Act)? {
    while let first = heap.first {
      let act = slots[first.slot].act
      slots[first.slot].act = nil
      freeSlots.append(first.slot)
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      siftDown(0)
      if let act { return (first.deadline, act) }
      cancelled -= 1
    }
    return nil
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
      let left = 2 * parent + 1
      if left < heap.count, heap[left].isBefore(heap[least]) { least = left }
      if left + 1 < heap.count, heap[left + 1].isBefore(heap[least]) { least = left + 1 }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
