import Captures
import Quantities
import Reports
import Testing
import Uploads

/// A rate that a line shows, held against what was carried.
@Suite struct RateTruthTests {
  /// The verdict on a rate of 5 s of a link that carries 20 KB/s, of a client that was kept waiting.
  private func isTrue(_ kilobytes: Double, clientLateness: Double) -> Bool {
    var truth = RunTruth()
    truth.carried = ByteCourse([
      .init(at: .zero, bytes: 0), .init(at: Instant(seconds: 100), bytes: 2_000_000),
    ])
    truth.requests = [
      .init(
        capture: "photo-1", step: .copy, startedAt: .zero, endedAt: nil, trail: truth.carried)
    ]
    truth.attempts = [.init(capture: "photo-1", step: .copy, began: .zero)]
    truth.moving = [.zero..<Instant(seconds: 100)]
    truth.clientLateness = .seconds(exactly: clientLateness)
    let claim = LineClaim(
      capture: "photo-1", state: .sending, step: .copy, attempt: 1,
      transfer: .init(
        bytes: 1_000_000, total: 1_650_000,
        rate: RateStretch(
          from: Instant(seconds: 45), to: Instant(seconds: 50),
          bytesPerSecond: kilobytes * 1_000)))
    let line = ShownLine("1.00 of 1.65 MB", at: Instant(seconds: 50), claim: .own(claim))
    if case .isTrue? = LineJudge(truth).verdicts(of: [line]).first?.truth { return true }
    return false
  }

  @Test(arguments: [(16.1, true), (15.9, false), (23.9, true), (24.1, false)])
  func `a fifth more or less than was carried is true`(rate: Double, verdict: Bool) {
    #expect(isTrue(rate, clientLateness: 0) == verdict)
  }

  /// A second of 20 KB/s is 4 KB/s in 5 s.
  @Test(arguments: [(12.9, true), (12.7, false), (28.7, true), (28.9, false)])
  func `what a client was kept from counting in time is no lie`(rate: Double, verdict: Bool) {
    #expect(isTrue(rate, clientLateness: 1) == verdict)
  }
}
