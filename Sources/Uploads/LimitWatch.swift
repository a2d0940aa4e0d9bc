package import Quantities

/// Holds one request against its limits: events in, the next deadline out.
///
/// Idle is time without a byte counted in either direction. Once the body has gone, the wait for
/// the answer has an idle time of its own, which begins at that moment. The deadline only ever
/// moves away, so a sleeper that wakes at an old one need only look again.
package struct LimitWatch: Hashable, Sendable {
  /// Which limit has passed.
  package enum Expired: Hashable, Sendable {
    case noConnection(Duration)
    case noByte(Duration)
    case noAnswer(Duration)
    case ceiling(Duration)

    /// What happened, as a sentence without its full stop.
    package var sentence: String {
      switch self {
      case .noConnection(let time): "no connection in \(time.text)"
      case .noByte(let time): "no byte moved for \(time.text)"
      case .noAnswer(let time): "no answer in \(time.text)"
      case .ceiling(let time): "\(StatusLine.unfinished) \(time.text)"
      }
    }
  }

  private let limits: RequestLimits
  private let bodyBytes: Int
  private let began: Instant
  private var connected = false
  private var sent = 0
  private var received = 0
  /// When a byte was last counted, or the body had gone.
  private var moved: Instant

  package init(_ limits: RequestLimits, bodyBytes: Int, began: Instant) {
    self.limits = limits
    self.bodyBytes = bodyBytes
    self.began = began
    moved = began
  }

  package mutating func note(_ event: ExchangeEvent, at now: Instant) {
    switch event {
    case .began:
      // The head has gone out; a repeat starts counting its body again.
      connected = true
      (sent, received) = (0, 0)
      moved = now
    case .sent(let bytes) where bytes > sent:
      sent = bytes
      moved = now
    case .received(let bytes) where bytes > received:
      received = bytes
      moved = now
    case .sent, .received, .answered, .failed: break
    }
  }

  /// When the request has to be cut unless something moves before.
  package var deadline: Instant {
    min(moved + limits.idle, began + limits.ceiling)
  }

  package func expired(at now: Instant) -> Expired? {
    if now >= began + limits.ceiling { return .ceiling(limits.ceiling) }
    guard now >= moved + limits.idle else { return nil }
    if !connected { return .noConnection(limits.idle) }
    return sent < bodyBytes ? .noByte(limits.idle) : .noAnswer(limits.idle)
  }
}
