package import Quantities

/// What is known of the request that an entry has in flight.
package struct RequestProgress: Hashable, Sendable {
  /// After this long without a byte an upload is quiet, and a check is due.
  package static let quiet = Duration.seconds(5)
  /// A connection that takes this long is worth a word.
  package static let connecting = Duration.seconds(1)
  /// From the end of a check to the next one.
  package static let checkPause = Duration.seconds(15)

  package let step: PlannedStep
  /// The step that comes after it; nil after the last.
  package let follower: PlannedStep?
  /// Of the plate that is being sent; 0 for anything else.
  package let photos: Int
  package let began: Instant
  /// Of this step in this process, from 1; a repeat by the transport is a further one.
  package private(set) var attempt: Int
  /// Bytes of the body.
  package let total: Int
  /// Body bytes that the socket has taken in this attempt.
  package private(set) var sent = 0
  /// When the whole body had been handed over; nil before.
  package private(set) var handedOver: Instant?
  /// When a byte was last counted.
  package private(set) var moved: Instant
  package private(set) var finding: QuietFinding?
  private var received = 0
  private var isConnected = false
  private var window = RateWindow()
  private var checked: Instant?

  package init(
    step: PlannedStep, follower: PlannedStep?, total: Int, photos: Int = 0, began: Instant,
    attempt: Int = 1
  ) {
    self.step = step
    self.follower = follower
    self.total = total
    self.photos = photos
    self.began = began
    self.attempt = attempt
    moved = began
  }

  package mutating func note(_ event: ExchangeEvent, at now: Instant) {
    switch event {
    case .began(let number):
      isConnected = true
      if number > 1 { attempt += 1 }
      (sent, received) = (0, 0)
      window = RateWindow()
      handedOver = total == 0 ? now : nil
      move(now)
    case .sent(let bytes) where bytes > sent:
      sent = min(bytes, total)
      window.note(bytes: sent, at: now)
      if sent == total { handedOver = handedOver ?? now }
      move(now)
    case .received(let bytes) where bytes > received:
      received = bytes
      move(now)
    case .sent, .received, .answered, .failed: break
    }
  }

  package func rate(at now: Instant) -> RateStretch? { window.rate(at: now) }

  /// Whether nothing can have been sent yet, for a time that is worth a word.
  package func isConnecting(at now: Instant) -> Bool {
    !isConnected && now - began >= Self.connecting
  }

  package func isQuiet(at now: Instant) -> Bool { now - moved >= Self.quiet }

  // MARK: Checks

  /// When the next check is due, unless bytes move before.
  package var checkDue: Instant {
    max(moved + Self.quiet, checked.map { $0 + Self.checkPause } ?? moved)
  }

  /// Takes a finding.
  ///
  /// A question that is still open does not replace an answer about the same link.
  package mutating func found(_ finding: QuietFinding) {
    let isOpen = finding.engine == .asked
    if !isOpen { checked = finding.at }
    if isOpen, let known = self.finding, known.link == finding.link { return }
    self.finding = finding
  }

  /// What was found is about a silence; it ends with it.
  private mutating func move(_ now: Instant) {
    moved = now
    finding = nil
  }
}
