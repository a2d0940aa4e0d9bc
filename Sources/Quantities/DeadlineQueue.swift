/// Deadlines in order; equal ones in the order in which they were set.
///
/// What is done at a deadline is kept by whoever sets it, at the deadline's ``ID/place``: a queue of
/// anything could not be compiled for what it holds in another module, and some deadlines are set and
/// cancelled for each packet.
package struct DeadlineQueue: Sendable {
  /// Names one deadline; never used again.
  package struct ID: Hashable, Sendable {
    /// No other deadline has it before this one has come up, or would have if it was cancelled.
    ///
    /// Places count from zero, and a further one is taken only when none is free.
    package let place: Int
    fileprivate let sequence: UInt64
  }

  private struct Entry {
    var deadline: Instant
    var id: ID

    func isBefore(_ other: Entry) -> Bool {
      deadline == other.deadline ? id.sequence < other.id.sequence : deadline < other.deadline
    }
  }

  private var heap: [Entry] = []
  /// The sequence number of what is set at each place; zero for nothing, also while the entry of what
  /// was cancelled there has not left the heap.
  private var places: [UInt64] = []
  private var freePlaces: [Int] = []
  /// Deadlines that were set so far.
  package private(set) var setSoFar: UInt64 = 0
  /// Entries of the heap that were cancelled.
  private var cancelled = 0

  package init() {}

  package mutating func set(_ deadline: Instant) -> ID {
    setSoFar += 1
    let id = ID(place: freePlaces.popLast() ?? places.count, sequence: setSoFar)
    if id.place == places.count { places.append(setSoFar) } else { places[id.place] = setSoFar }
    heap.append(Entry(deadline: deadline, id: id))
    siftUp(heap.count - 1)
    return id
  }

  /// False when it has come up, or was cancelled before: nothing is done then.
  package mutating func cancel(_ id: ID) -> Bool {
    guard places[id.place] == id.sequence else { return false }
    places[id.place] = 0
    cancelled += 1
    // Limits set far ahead and cancelled one after another must not pile up until they come up.
    guard heap.count > 64, heap.count < 2 * cancelled else { return true }
    for entry in heap where isCancelled(entry) { freePlaces.append(entry.id.place) }
    heap.removeAll { places[$0.id.place] == 0 }
    cancelled = 0
    for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(index) }
    return true
  }

  /// The earliest; nil when none is set.
  package var next: Instant? {
    mutating get {
      while let first = heap.first {
        if !isCancelled(first) { return first.deadline }
        removeFirst()
        cancelled -= 1
      }
      return nil
    }
  }

  /// Removes and returns the earliest, if it is due at `now` and among so many that were set first.
  package mutating func popDue(
    at now: Instant, amongFirst count: UInt64 = .max
  ) -> (deadline: Instant, place: Int)? {
    guard let deadline = next, deadline <= now, heap[0].id.sequence <= count else { return nil }
    let place = heap[0].id.place
    places[place] = 0
    removeFirst()
    return (deadline, place)
  }

  private func isCancelled(_ entry: Entry) -> Bool { places[entry.id.place] == 0 }

  private mutating func removeFirst() {
    freePlaces.append(heap[0].id.place)
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
      let left = 2 * parent + 1
      if left < heap.count, heap[left].isBefore(heap[least]) { least = left }
      if left + 1 < heap.count, heap[left + 1].isBefore(heap[least]) { least = left + 1 }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
