package import Bench
package import Quantities
import Synchronization
package import Uploads

/// An exchange whose events come at link times that are set from outside.
package final class MemoryExchange: Exchange {
  private struct State {
    var timers: [VirtualTime.TimerID] = []
    var handedOver = 0
    var isOver = false
  }

  /// Is told, once, the way of the client's cut, if it was one, and the bytes that were handed over.
  package typealias Ended = @Sendable (_ way: UploadPolicy.Cut?, _ handedOver: Int) -> Void

  package let events: AsyncStream<ExchangeEvent>
  private let continuation: AsyncStream<ExchangeEvent>.Continuation
  private let time: VirtualTime
  private let ended: Ended
  private let state = Mutex(State())

  package init(time: VirtualTime, ended: @escaping Ended = { _, _ in }) {
    self.time = time
    self.ended = ended
    (events, continuation) = AsyncStream.makeStream()
  }

  package func schedule(_ event: ExchangeEvent, at instant: Instant) {
    schedule(at: instant) { [event] }
  }

  package func schedule(
    at instant: Instant, _ make: @escaping @Sendable () -> [ExchangeEvent]
  ) {
    let number = time.at(instant) { [self] in
      for event in make() { tell(event, cut: nil) }
    }
    state.withLock { $0.timers.append(number) }
  }

  package func fail(_ failure: TransportFailure) { tell(.failed(failure), cut: nil) }

  /// What this engine is handed it has.
  package func count() {}

  package func cut(_ way: UploadPolicy.Cut) { tell(.failed(.cut), cut: way) }

  private func tell(_ event: ExchangeEvent, cut: UploadPolicy.Cut?) {
    let isLast =
      switch event {
      case .answered, .failed: true
      case .began, .sent, .received: false
      }
    let known = state.withLock { state -> State? in
      if state.isOver { return nil }
      state.isOver = isLast
      if case .sent(let bytes) = event { state.handedOver = bytes }
      return state
    }
    guard let known else { return }
    continuation.yield(event)
    guard isLast else { return }
    for timer in known.timers { time.cancel(timer) }
    ended(cut, known.handedOver)
    continuation.finish()
  }
}
