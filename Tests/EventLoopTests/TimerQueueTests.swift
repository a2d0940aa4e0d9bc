import EventLoop
import Quantities
import Testing

@Suite struct TimerQueueTests {
  @Test(arguments: 0..<6 as Range<UInt64>)
  func `it does what a sorted list does, whatever the order of calls`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = TimerQueue<Int>()
    var model: [(deadline: Instant, number: Int, id: TimerQueue<Int>.ID)] = []
    for number in 0..<3_000 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let deadline = Instant(nanoseconds: .random(in: 0..<50, using: &random))
        model.append((deadline, number, queue.set(deadline, number)))
      case 5..<8 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &random)
        queue.cancel(model.remove(at: index).id)
      default:
        let now = Instant(nanoseconds: .random(in: 0..<60, using: &random))
        let first = model.indices.min {
          (model[$0].deadline, model[$0].number) < (model[$1].deadline, model[$1].number)
        }
        let due = first.flatMap { model[$0].deadline <= now ? model.remove(at: $0) : nil }
        let popped = queue.popDue(at: now, upTo: queue.newest)
        #expect(popped?.action == due?.number && popped?.deadline == due?.deadline)
      }
      #expect(queue.next == model.map(\.deadline).min())
    }
  }

  @Test func `equal deadlines come up in the order in which they were set`() {
    var queue = TimerQueue<Int>()
    for number in 0..<100 { _ = queue.set(Instant(nanoseconds: 5), number) }
    let order = (0..<100).map { _ in
      queue.popDue(at: Instant(nanoseconds: 5), upTo: queue.newest)?.action
    }
    #expect(order == Array(0..<100))
    #expect(queue.popDue(at: .distantFuture, upTo: queue.newest) == nil)
  }

  @Test func `a timer that was set too late for this turn waits`() {
    var queue = TimerQueue<Int>()
    _ = queue.set(.zero, 1)
    let newest = queue.newest
    _ = queue.set(.zero, 2)
    #expect(queue.popDue(at: .zero, upTo: newest)?.action == 1)
    #expect(queue.popDue(at: .zero, upTo: newest) == nil)
    #expect(queue.popDue(at: .zero, upTo: queue.newest)?.action == 2)
  }

  @Test func `cancelling twice or too late does nothing`() {
    var queue = TimerQueue<Int>()
    let first = queue.set(.zero, 1)
    #expect(queue.popDue(at: .zero, upTo: queue.newest)?.action == 1)
    let second = queue.set(.zero, 2)
    queue.cancel(first)
    #expect(queue.next == .zero)
    queue.cancel(second)
    queue.cancel(second)
    #expect(queue.next == nil)
  }

  @Test func `an action that was cancelled is let go of at once`() {
    final class Token {}
    var queue = TimerQueue<Token>()
    var token: Token? = Token()
    weak let seen = token
    let id = queue.set(.distantFuture, token ?? Token())
    token = nil
    #expect(seen != nil)
    queue.cancel(id)
    #expect(seen == nil)
  }
}
