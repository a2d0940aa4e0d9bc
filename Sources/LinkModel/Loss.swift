import Quantities

/// Packets that are lost and sent again, as a TCP stream shows it: bytes come late, and none is
/// missing.
///
/// Approximate. A packet that is lost, with the chance of the ratio, arrives a retransmission timeout
/// late; one that is lost again as much later again, doubled each time (RFC 6298, section 5.5). What
/// follows on its connection waits for it. That each takes its time on the link once only, and that
/// senders slow down, is left out.
package struct Loss: Hashable, Sendable {
  /// From 0 to less than 1.
  package var ratio: Double
  /// From the departure that was lost to the next one.
  package var stall: Duration

  /// Linux gives a segment up, and the connection with it, after so many (tcp_retries2).
  static let repeatsMax = 15

  package init(ratio: Double, stall: Duration) {
    self.ratio = ratio
    self.stall = stall
  }

  /// The retransmission timeout of Linux on a quiet link: the round trip and at least 200 ms
  /// (TCP_RTO_MIN, in the place of four times the variance of RFC 6298, section 2.3).
  package static func stall(roundTrip: Duration) -> Duration { roundTrip + .milliseconds(200) }

  /// How much later than without loss one packet arrives.
  func delay(using random: inout SeededRandom) -> Duration {
    var delay = Duration.zero
    var next = stall
    for _ in 0..<Self.repeatsMax where ratio > 0 {
      guard Double.random(in: 0..<1, using: &random) < ratio else { break }
      delay += next
      next += next
    }
    return delay
  }
}
