package import Captures
package import Quantities

/// What a status line says of one capture, as data: the claim behind its text.
///
/// A line is judged by its text, and by what is known of link and engine; the claim says which part
/// of them the text is about.
package struct LineClaim: Hashable, Sendable, Codable {
  /// The byte count of a file that a line shows.
  package struct Transfer: Hashable, Sendable, Codable {
    /// Bytes as the client counts them, before they are cut to the two digits of a line.
    package var bytes: Int
    package var total: Int
    /// Nil when the line shows none.
    package var rate: RateStretch?

    package init(bytes: Int, total: Int, rate: RateStretch? = nil) {
      self.bytes = bytes
      self.total = total
      self.rate = rate
    }
  }

  package var capture: String
  /// As the line's words have it: the old labels say of a parked capture that it is kept.
  package var state: EntryState
  /// What the line says has parked it; nil of any other state.
  package var parking: Parking?
  /// The request that a live line is about; the label "Sending" names none.
  package var step: StepName?
  /// Of this step in this process, from 1.
  package var attempt: Int?
  /// The line says that there is no connection yet, and nothing of bytes.
  package var isConnecting = false
  package var transfer: Transfer?
  /// What a check has found, while the line says so.
  package var finding: QuietFinding?

  package init(
    capture: String, state: EntryState, step: StepName? = nil, attempt: Int? = nil,
    transfer: Transfer? = nil, finding: QuietFinding? = nil
  ) {
    self.capture = capture
    self.state = state
    self.step = step
    self.attempt = attempt
    self.transfer = transfer
    self.finding = finding
  }

  /// The claim of the line that says so, in that style.
  package init(
    _ standing: EntryStanding, of capture: String, style: UploadPolicy.LineStyle, now: Instant
  ) {
    self.init(capture: capture, state: Self.state(standing, style: style))
    guard style == .live else { return }
    if case .parked(_, _, let parking) = standing { self.parking = parking }
    guard case .sending(let progress) = standing else { return }
    step = progress.step.name
    attempt = progress.attempt
    isConnecting = progress.isConnecting(at: now)
    guard case .file = progress.step, !isConnecting else { return }
    transfer = Transfer(
      bytes: progress.sent, total: progress.total,
      rate: progress.handedOver == nil ? progress.rate(at: now) : nil)
    finding = progress.isQuiet(at: now) ? progress.finding : nil
  }

  private static func state(
    _ standing: EntryStanding, style: UploadPolicy.LineStyle
  ) -> EntryState {
    switch standing {
    case .kept: .kept
    case .waiting: .waiting
    case .sending: .sending
    case .done: .done
    case .parked: style == .live ? .parked : .kept
    case .held: style == .live ? .held : .kept
    case .discarded: .discarded
    }
  }
}
