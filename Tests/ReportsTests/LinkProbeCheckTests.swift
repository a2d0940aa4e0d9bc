import Reports
import Testing

struct LinkProbeCheckTests {
  private let asked = LinkProbeCheck.Values(
    rate: 20_000, latencyUp: 0.1, latencyDown: 0.2, buffer: 64_000)

  private func check(_ measured: LinkProbeCheck.Values, factor: Double = 1) -> LinkProbeCheck {
    LinkProbeCheck(asked: asked, measured: measured, factor: factor)
  }

  @Test func `what was found as asked is within tolerance`() {
    #expect(check(asked).isWithin)
    #expect(
      check(asked).rows.map(\.measure) == [.rate, .latencyUp, .latencyDown, .buffer])
  }

  @Test func `each value may be off by its tolerance, and by no more`() throws {
    let tolerances: [(WritableKeyPath<LinkProbeCheck.Values, Double?>, Double)] = [
      (\.rate, 200), (\.latencyUp, 0.003), (\.latencyDown, 0.004), (\.buffer, 4_420),
    ]
    for (value, tolerance) in tolerances {
      let wanted = try #require(asked[keyPath: value])
      for (off, isWithin) in [(0.99, true), (-0.99, true), (1.01, false), (-1.01, false)] {
        var measured = asked
        measured[keyPath: value] = wanted + off * tolerance
        #expect(check(measured).isWithin == isWithin)
      }
    }
  }

  @Test func `what was not measured is no pass, and what was not asked for is not judged`() {
    var measured = asked
    measured.buffer = nil
    #expect(!check(measured).isWithin)
    #expect(check(measured).text.contains("not measured"))
    let unasked = LinkProbeCheck(asked: .init(), measured: asked, factor: 1)
    #expect(unasked.rows.isEmpty && unasked.isWithin)
  }

  @Test func `dilated, a waking process weighs as many times as much`() {
    var measured = asked
    measured.latencyUp = 0.1 + 0.1
    #expect(!check(measured).isWithin)
    #expect(check(measured, factor: 60).isWithin)
  }

  private func doubts(_ measured: LinkProbeCheck.Values) -> [String] {
    var link = RunRecord.Link(
      upAsked: 20_000, downAsked: nil, bufferDeclared: 64_000, measuredBy: [])
    link.probe = .init(asked: asked, measured: measured)
    return InstrumentCheck(link: link, time: .init(mode: .real), variants: []).doubts
  }

  @Test func `a run whose probe is out of tolerance is in doubt`() {
    var measured = asked
    measured.latencyUp = 0.12
    #expect(doubts(asked).isEmpty)
    #expect(
      doubts(measured) == [
        "the probe of the link before the run: latency up 120 ms instead of 100 ms (+- 3 ms is"
          + " allowed). Run it again with less beside it."
      ])
  }
}
