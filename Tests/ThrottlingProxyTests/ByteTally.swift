import Synchronization
import TestSupport

/// Bytes counted by one thread and looked at by another.
final class ByteTally: Sendable {
  private let bytes = Atomic<Int>(0)

  var count: Int { bytes.load(ordering: .sequentiallyConsistent) }

  func add(_ count: Int) {
    bytes.add(count, ordering: .sequentiallyConsistent)
  }
}

extension BlockingSocket {
  /// Sends the bytes in small writes and counts what the kernel has taken; false when it breaks.
  func push(_ bytes: [UInt8], counting tally: ByteTally) -> Bool {
    var start = 0
    while start < bytes.count {
      let part = Array(bytes[start..<min(start + 1_460, bytes.count)])
      guard send(part) else { return false }
      tally.add(part.count)
      start += part.count
    }
    return true
  }

  /// Receives to the end, clean or not, and counts.
  func drain(counting tally: ByteTally) -> Bool {
    while let part = receive() {
      if part.isEmpty { return true }
      tally.add(part.count)
    }
    return false
  }
}
