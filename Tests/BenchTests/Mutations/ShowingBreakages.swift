import Bench
import Captures
import Quantities
import Uploads

extension Breakage {
  /// Of what the client shows.
  static let showing = [
    lie(
      "the client says done before the receipt",
      "the engine's receipt of the original had not arrived"
    ) {
      text, claim, now in
      guard claim.step == .original, now > Instant(seconds: 20) else { return (text, claim) }
      return (
        "\(claim.capture): done, the photo is kept by the engine in both sizes",
        LineClaim(capture: claim.capture, state: .done)
      )
    },
    lie(
      "the client shows more than was taken",
      "the client's sockets had not taken so much"
    ) { text, claim, now in
      guard claim.step == .original, var transfer = claim.transfer else { return (text, claim) }
      transfer.bytes = min(transfer.total, transfer.bytes + 500_000)
      return figures(transfer, claim, now)
    },
    lie("the client shows figures that go back", "had shown") { text, claim, now in
      guard claim.step == .original, var transfer = claim.transfer, now > Instant(seconds: 20)
      else {
        return (text, claim)
      }
      transfer.bytes = 0
      return figures(transfer, claim, now)
    },
    lie("the client shows a rate from nowhere", "the link carried") { text, claim, _ in
      guard let rate = claim.transfer?.rate else { return (text, claim) }
      var lied = rate
      lied.bytesPerSecond *= 1.5
      var other = claim
      other.transfer?.rate = lied
      return (text.replacing(StatusLine.text(of: rate), with: StatusLine.text(of: lied)), other)
    },
    lie("the client shows another rate than it found", "its rate is not what the client found") {
      text, claim, _ in
      guard let rate = claim.transfer?.rate else { return (text, claim) }
      return (text.replacing(StatusLine.text(of: rate), with: "99.0 KB/s"), claim)
    },
    lie("the client says that the link is down when it is up", "the link was up") {
      text, claim, now in
      guard claim.step == .original, claim.transfer != nil else { return (text, claim) }
      var lied = claim
      lied.finding = QuietFinding(link: .down, engine: .notAsked, at: now)
      return ("\(text); no byte for 5 s: the link is down", lied)
    },
    lie("the client counts passes", "it counts 2 of 2, and there is one photo") { text, claim, _ in
      guard claim.step == .original else { return (text, claim) }
      return (text.replacing("the same photo", with: "2 of 2, the same photo"), claim)
    },
    Breakage(
      "the client changes its line every 10 s", in: "tunnel", red: "lines.longest-silence",
      says: "after: longest time without a new status line: expected <= 3 s, measured 10"
    ) { parts in
      var next = Instant.zero
      parts.telling = { text, claim, now in
        guard claim.state == .sending else { return (text, claim) }
        if now < next { return nil }
        next = now + .seconds(10)
        return (text, claim)
      }
    },
    Breakage(
      "the client shows labels alone", in: "three-photos", red: "lines.live",
      also: ["lines.distinct", "lines.first-live"],
      says: "after: status lines with a new byte count: expected >= 120, measured 0"
    ) { $0.policy = { $0.with(\.line, .labels) } },
    Breakage(
      "the client shows no figures at first", in: "three-photos", red: "lines.first-live",
      says: "after: first status line with a true byte count: expected <= 3.5 s, measured 5"
    ) {
      $0.telling = { text, claim, now in
        guard claim.transfer != nil, now < Instant(seconds: 5) else { return (text, claim) }
        var silent = claim
        silent.transfer = nil
        return ("\(claim.capture): it goes, \(now.seconds) s", silent)
      }
    },
    Breakage(
      "the client does not say what waits", in: "three-photos", "before", red: "lines.distinct",
      says: "before: distinct status lines: expected 4, measured 3"
    ) { $0.telling = { text, claim, _ in claim.state == .waiting ? nil : (text, claim) } },
    Breakage(
      "the client counts what it has handed over", in: "send-buffer", "acknowledged",
      red: "lines.worst-megabytes", also: ["attempts", "landed", "finished"],
      says: "acknowledged: bytes that a status line was ahead of the link: expected <= 70 KB"
    ) { $0.policy = { $0.with(\.counting, .handedOver) } },
  ]

  private static func lie(
    _ what: String, _ why: String,
    telling:
      @escaping @Sendable (String, LineClaim, Instant) -> (
        text: String, claim: LineClaim
      )?
  ) -> Breakage {
    Breakage(
      what, in: "library-photo", red: "lines.false",
      says: "after: status lines that were false: expected 0, measured", and: why
    ) { $0.telling = telling }
  }

  /// The line that shows these figures, and claims them.
  private static func figures(
    _ transfer: LineClaim.Transfer, _ claim: LineClaim, _ now: Instant
  ) -> (text: String, claim: LineClaim) {
    var claim = claim
    claim.transfer = transfer
    let shown = fixed(Double(transfer.bytes / 10_000) / 100, decimals: 2)
    let total = fixed(Double(transfer.total) / 1e6, decimals: 2)
    return ("\(claim.capture): \(shown) of \(total) MB, \(now.seconds) s", claim)
  }
}
