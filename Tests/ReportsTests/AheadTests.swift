import Captures
import Quantities
import Reports
import Testing
import Uploads

/// How far a line was ahead of the link.
@Suite struct AheadTests {
  /// An attempt of which the client's word was read so much later than its head arrived.
  private func ahead(wordLate seconds: Double) -> Int? {
    var truth = RunTruth()
    func request(from start: Double, to end: Double?, bytes: Int) -> RunTruth.Request {
      .init(
        capture: "photo-1", step: .copy, startedAt: Instant(seconds: start),
        endedAt: end.map { Instant(seconds: $0) },
        trail: ByteCourse([
          .init(at: Instant(seconds: start), bytes: 0),
          .init(at: Instant(seconds: end ?? 100), bytes: bytes),
        ]))
    }
    // The first attempt carried 200 KB, and has nothing to do with the second.
    truth.requests = [
      request(from: 0, to: 10, bytes: 200_000), request(from: 60, to: nil, bytes: 400_000),
    ]
    truth.attempts = [
      .init(capture: "photo-1", step: .copy, began: .zero, ended: Instant(seconds: 10)),
      .init(capture: "photo-1", step: .copy, began: Instant(seconds: 60 + seconds)),
    ]
    let claim = LineClaim(
      capture: "photo-1", state: .sending, step: .copy, attempt: 2,
      transfer: .init(bytes: 250_000, total: 1_650_000))
    let line = ShownLine("0.25 of 1.65 MB", at: Instant(seconds: 80), claim: .own(claim))
    return LineJudge(truth).verdicts(of: [line]).first?.ahead
  }

  @Test(arguments: [0, 0.05, 3])
  func `bytes are held against the body that they are of, however late it was told`(late: Double) {
    // Half of the 400 KB have come at 80 s.
    #expect(ahead(wordLate: late) == 50_000)
  }
}
