import Synchronization
import Uploads

/// A transport with somebody in between: to the bench it looks like a client that sends so, or that
/// takes answers so.
struct TamperedTransport: Transport {
  var real: any Transport
  var request: @Sendable (OutgoingRequest) -> OutgoingRequest = { $0 }
  var answer: @Sendable (OutgoingRequest, HTTPAnswer) -> HTTPAnswer = { $1 }
  /// Whether a request is sent once more when it is answered.
  var repeats: @Sendable (OutgoingRequest) -> Bool = { _ in false }
  /// The client hears of it.
  var tells = true
  /// What the client takes for an answer to what it has not sent; nil where it sends.
  var madeUp: @Sendable (OutgoingRequest) -> HTTPAnswer? = { _ in nil }

  func begin(_ request: OutgoingRequest) -> any Exchange {
    if let answer = madeUp(request) { return MadeUpExchange(answer, to: request) }
    return TamperedExchange(self.request(request), on: self)
  }
}

private struct MadeUpExchange: Exchange {
  let events: AsyncStream<ExchangeEvent>

  init(_ answer: HTTPAnswer, to request: OutgoingRequest) {
    let (events, continuation) = AsyncStream.makeStream(of: ExchangeEvent.self)
    for event: ExchangeEvent in [
      .began(attempt: 1), .sent(bytes: request.bodyBytes), .answered(answer),
    ] {
      continuation.yield(event)
    }
    continuation.finish()
    self.events = events
  }

  func count() {}

  func cut(_ way: UploadPolicy.Cut) {}
}

private actor TamperedExchange: Exchange {
  private let request: OutgoingRequest
  private let transport: TamperedTransport
  private nonisolated let current: Mutex<any Exchange>
  private var iterator: AsyncStream<ExchangeEvent>.Iterator
  private var isToBeRepeated: Bool
  private var attempts = 0

  init(_ request: OutgoingRequest, on transport: TamperedTransport) {
    self.request = request
    self.transport = transport
    let exchange = transport.real.begin(request)
    current = Mutex(exchange)
    iterator = exchange.events.makeAsyncIterator()
    isToBeRepeated = transport.repeats(request)
  }

  nonisolated var events: AsyncStream<ExchangeEvent> { AsyncStream { await self.next() } }

  nonisolated func count() { current.withLock { $0 }.count() }

  nonisolated func cut(_ way: UploadPolicy.Cut) { current.withLock { $0 }.cut(way) }

  private func next() async -> ExchangeEvent? {
    var iterator = iterator
    let event = await iterator.next(isolation: self)
    self.iterator = iterator
    switch event {
    case .began:
      attempts += 1
      return attempts == 1 || transport.tells ? .began(attempt: attempts) : await next()
    case .answered where isToBeRepeated:
      isToBeRepeated = false
      let exchange = transport.real.begin(request)
      current.withLock { $0 = exchange }
      self.iterator = exchange.events.makeAsyncIterator()
      return await next()
    case .answered(let answer): return .answered(transport.answer(request, answer))
    case .sent, .received, .failed, nil: return event
    }
  }
}

extension OutgoingRequest {
  /// It sends a file of a capture.
  var sendsFile: Bool {
    if case .file = body { true } else { false }
  }
}
