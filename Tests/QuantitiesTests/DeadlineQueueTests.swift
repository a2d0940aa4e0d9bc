import Quantities
import Testing

@Suite struct DeadlineQueueTests {
  @Test(arguments: 0..<6 as Range<UInt64>)
  func `it does what a sorted list does, whatever the order of calls`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = DeadlineQueue()
    var model: [(deadline: Instant, number: Int, id: DeadlineQueue.ID)] = []
    for number in 0..<3_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let deadline = Instant(nanoseconds: .random(in: 0..<50, using: &random))
        let id = queue.set(deadline)
        #expect(!model.contains { $0.id.place == id.place })
        model.append((deadline, number, id))
      case 5..<8 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &random)
        let wasSet = queue.cancel(model.remove(at: index).id)
        #expect(wasSet)
      default:
        let now = Instant(nanoseconds: .random(in: 0..<60, using: &random))
        let first = model.indices.min {
          (model[$0].deadline, model[$0].number) < (model[$1].deadline, model[$1].number)
        }
        let due = first.flatMap { model[$0].deadline <= now ? model.remove(at: $0) : nil }
        let popped = queue.popDue(at: now)
        #expect(popped?.place == due?.id.place && popped?.deadline == due?.deadline)
      }
      let next = queue.next
      #expect(next == model.map(\.deadline).min())
    }
  }

  @Test func `equal deadlines come up in the order in which they were set`() {
    var queue = DeadlineQueue()
    let places = (0..<100).map { _ in queue.set(Instant(nanoseconds: 5)).place }
    let popped = (0..<101).map { _ in queue.popDue(at: Instant(nanoseconds: 5))?.place }
    #expect(popped == places + [nil])
  }

  @Test func `what was set too late for this turn waits`() {
    var queue = DeadlineQueue()
    let first = queue.set(.zero)
    let setSoFar = queue.setSoFar
    let second = queue.set(.zero)
    let popped = (0..<2).map { _ in queue.popDue(at: .zero, amongFirst: setSoFar)?.place }
    #expect(popped == [first.place, nil])
    let later = queue.popDue(at: .zero)
    #expect(later?.place == second.place)
  }

  @Test func `cancelling twice or too late does nothing`() {
    var queue = DeadlineQueue()
    let first = queue.set(.zero)
    let popped = queue.popDue(at: .zero)
    #expect(popped?.place == first.place)
    let second = queue.set(.zero)
    #expect(second.place == first.place)
    let wereSet = [first, second, second].map { queue.cancel($0) }
    #expect(wereSet == [false, true, false])
    let next = queue.next
    #expect(next == nil)
  }

  @Test func `deadlines that are cancelled one after another take no more places`() {
    var queue = DeadlineQueue()
    var most = 0
    for _ in 0..<10_000 {
      let id = queue.set(.distantFuture)
      most = max(most, id.place)
      _ = queue.cancel(id)
    }
    #expect(most < 100)
  }
}
