import Captures
import Quantities
import Scenarios
import Synchronization

/// What makes captures the same: each depends on the seed and its own plan alone.
struct CaptureKind: Hashable {
  let seed: UInt64
  let plans: [CapturePlan]

  init(_ scenario: Scenario) {
    seed = scenario.seed
    plans = scenario.captures.map(\.plan)
  }

  /// About as many as they will have.
  var bytes: Int { plans.flatMap(\.kind.plannedFiles).reduce(0) { $0 + $1.size.bytes } }
}

/// Captures that were made, and are kept for who wants the same.
///
/// Of several threads that want the same, one makes them, and the others make what is wanted next
/// meanwhile.
final class CaptureShelf<Made: Sendable>: Sendable {
  private let make: @Sendable (CaptureKind) throws -> Made
  private let order: Mutex<Order>

  /// Keeps so many bytes, or the newest where that has more.
  init(bytesMax: Int, make: @escaping @Sendable (CaptureKind) throws -> Made) {
    self.make = make
    order = Mutex(Order(bytesMax: bytesMax))
  }

  /// Says what will be wanted after all that was said before, so that it can be made ahead of need.
  func expect(_ kind: CaptureKind) {
    order.withLock { $0.expect(kind) }
  }

  /// Throws when they cannot be made; who asks then tries again.
  func captures(_ kind: CaptureKind) throws -> Made {
    let batch = order.withLock { $0.batch(of: kind) }
    if let made = batch.made.withLockIfAvailable({ result(batch.kind, &$0) }) {
      return try made.get()
    }
    makeAhead()
    return try batch.made.withLock { result(batch.kind, &$0) }.get()
  }

  /// Makes what is wanted next and nobody makes, if there is such a thing and room for it.
  func makeAhead() {
    guard let batch = order.withLock({ $0.nextExpected() }) else { return }
    // Who wants them is told why they cannot be made.
    batch.made.withLock { _ = result(batch.kind, &$0) }
  }

  /// What is kept, the one wanted last as the last.
  var kept: [(seed: UInt64, isMade: Bool)] {
    order.withLock(\.batches).map { batch in
      (batch.kind.seed, batch.made.withLock { $0 != nil })
    }
  }

  private func result(_ kind: CaptureKind, _ made: inout Made?) -> Result<Made, any Error> {
    if let made { return .success(made) }
    let new = Result { try make(kind) }
    made = try? new.get()
    return new
  }

  /// Whoever holds the lock makes them.
  private final class Batch: Sendable {
    let kind: CaptureKind
    let made = Mutex<Made?>(nil)

    init(_ kind: CaptureKind) {
      self.kind = kind
    }
  }

  /// What is kept, and what is wanted next.
  private struct Order {
    let bytesMax: Int
    private(set) var batches: [Batch] = []
    private var expected: [CaptureKind] = []

    init(bytesMax: Int) {
      self.bytesMax = bytesMax
    }

    mutating func expect(_ kind: CaptureKind) {
      if expected.last != kind { expected.append(kind) }
    }

    mutating func batch(of kind: CaptureKind) -> Batch {
      if expected.first == kind { expected.removeFirst() }
      let place = batches.firstIndex { $0.kind == kind }
      let batch = place.map { batches.remove(at: $0) } ?? Batch(kind)
      batches.append(batch)
      while batches.count > 1, bytes > bytesMax { batches.removeFirst() }
      return batch
    }

    /// Nothing that is kept goes for what is only expected.
    mutating func nextExpected() -> Batch? {
      while let kind = expected.first {
        guard batches.contains(where: { $0.kind == kind }) else {
          return bytes + kind.bytes > bytesMax ? nil : batch(of: kind)
        }
        expected.removeFirst()
      }
      return nil
    }

    private var bytes: Int { batches.reduce(0) { $0 + $1.kind.bytes } }
  }
}
