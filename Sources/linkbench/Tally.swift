import Synchronization

/// Bytes counted by one thread and looked at by another.
final class Tally: Sendable {
  private let bytes = Atomic<Int>(0)

  var count: Int { bytes.load(ordering: .sequentiallyConsistent) }

  func add(_ count: Int) {
    bytes.add(count, ordering: .sequentiallyConsistent)
  }
}
