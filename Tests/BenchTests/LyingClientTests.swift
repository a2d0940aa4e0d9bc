import Bench
import Captures
import Quantities
import Reports
import TestSupport
import Testing
import Uploads

/// Clients that lie on purpose: each lie is found, and nothing is found in the client that does not.
struct LyingClientTests {
  /// A photo over 20 KB/s, through an outage from 30 s to 60 s, and an engine that is quiet for a time.
  private func world(policy: String = "after") throws -> SmallWorld {
    try SmallWorld(
      """
      seed: 7
      horizon: 300 s
      link:
        up: 20 KB/s
        down: 200 KB/s
        latency: 100 ms
        offline: [{ at: 30 s, for: 30 s }]
        buffer: 64 KB
      captures:
        - photo: { original: 900 KB, copy: 400 KB }
          at: 0 s
      engine: { turn: { takes: 5 s } }
      variants:
        only: { client: outbox, policy: \(policy) }
      """)
  }

  private func honesty(
    policy: String = "after", _ telling: @escaping LineTelling = { text, claim, _ in (text, claim) }
  ) throws -> HonestyRecord {
    try #require(try world(policy: policy).run("only", parts: .telling(telling)).honesty)
  }

  @Test(arguments: ["before", "after"]) func `a client that tells the truth is believed`(
    policy: String
  ) throws {
    let honesty = try honesty(policy: policy)
    #expect(honesty.findings == [])
    #expect(honesty.falseClaims == 0 && honesty.worstSeconds == 0)
    #expect(honesty.claims > (policy == "after" ? 80 : 2))
  }

  /// Lies about bytes and rates: each in lines between 10 s and 20 s, in mid-copy.
  @Test(arguments: [
    ("more than the file", "more than the whole"), ("another file's size", "the file has"),
    ("back to nothing", "had shown"), ("all of it at once", "had not taken"),
    ("twice the rate", "the link carried"), ("half the rate", "the link carried"),
    ("another figure than it counts", "not what the client counts"),
  ])
  func `a lie about bytes is found`(lie: String, why: String) throws {
    let found = try honesty { text, claim, now in
      guard let sent = claim.transfer, now > Instant(seconds: 10), now < Instant(seconds: 20)
      else { return (text, claim) }
      var transfer = sent
      switch lie {
      case "more than the file": transfer.bytes = sent.total + 100_000
      case "another file's size": transfer.total = 380_000
      case "back to nothing": if now > Instant(seconds: 19) { transfer.bytes = 0 }
      case "all of it at once": transfer.bytes = sent.total - 10_000
      case "twice the rate": transfer.rate?.bytesPerSecond *= 2
      case "half the rate": transfer.rate?.bytesPerSecond /= 2
      default: return ("photo-1: 0.39 of 0.40 MB, 20.0 KB/s, 9 s", claim)
      }
      var lied = claim
      lied.transfer = transfer
      let figures = [transfer.bytes, transfer.total].map { fixed(Double($0) / 1e6, decimals: 2) }
      let shown = fixed(Double(transfer.bytes / 10_000) / 100, decimals: 2)
      return ("photo-1: \(shown) of \(figures[1]) MB, \(now.seconds) s", lied)
    }
    #expect(found.falseClaims > 0)
    #expect(found.findings.first?.contains(why) == true, "\(found.findings)")
  }

  @Test func `done before the receipt is a lie, and stands until it comes`() throws {
    let found = try honesty { text, claim, now in
      guard claim.step == .original, now > Instant(seconds: 80) else { return (text, claim) }
      let done = "photo-1: done, the photo is kept by the engine in both sizes"
      return (done, LineClaim(capture: claim.capture, state: .done))
    }
    #expect(found.findings.count == 1)
    #expect(found.findings[0].contains("the engine's receipt of the original had not arrived"))
    #expect(found.worstSeconds >= 0.5)
  }

  @Test func `a line that says done by its words alone is found, too`() throws {
    let found = try honesty(policy: "before") { text, claim, _ in
      (claim.state == .sending ? "Kept by the engine" : text, claim)
    }
    #expect(found.findings[0].contains("does not take it for done"))
    #expect(found.worstSeconds > 60)
  }

  @Test func `a refusal that nobody gave is a lie`() throws {
    let found = try honesty { text, claim, now in
      guard claim.step == .turn else { return (text, claim) }
      return ("photo-1: Refused: no", LineClaim(capture: claim.capture, state: .parked))
    }
    #expect(found.findings[0].contains("the engine had refused nothing of it"))
  }

  @Test func `a capture that comes back otherwise than it was sent is not called refused`() throws {
    var parts = VirtualParts()
    parts.onTheWay { transport in
      transport.answer = { request, answer in
        var answer = answer
        if request.method == "GET", request.path.contains("/moments/") {
          let text = String(decoding: answer.body, as: UTF8.self)
          answer.body = Array(text.replacing(#""note":"""#, with: #""note":"another's""#).utf8)
        }
        return answer
      }
    }
    let record = try world().run("only", parts: parts)
    #expect(record.parked == 1 && record.honesty?.findings == [])
    let last = try #require(record.statusLines.lines.last)
    #expect(last.text.hasPrefix("photo-1: Not confirmed: the record that was read back differs"))
    #expect(last.isTrue == true)
  }

  @Test func `not confirmed is a lie before the engine has said what it holds`() throws {
    let found = try honesty { text, claim, now in
      guard claim.step == .turn else { return (text, claim) }
      var lied = LineClaim(capture: claim.capture, state: .parked)
      lied.parking = .unconfirmed
      return ("photo-1: Not confirmed: no", lied)
    }
    #expect(found.findings[0].contains("the engine had not said what it holds of it"))
  }

  @Test(arguments: [EntryState.kept, .waiting]) func `a photo that is being sent does not wait`(
    state: EntryState
  ) throws {
    let found = try honesty(policy: "before") { text, claim, _ in
      guard claim.state == .sending else { return (text, claim) }
      return (StatusLine.Label.kept.rawValue, LineClaim(capture: claim.capture, state: state))
    }
    #expect(found.falseClaims == 1)
    #expect(found.findings[0].contains("a request of it was in flight"))
    // It stood for the whole of the sending.
    #expect(found.worstSeconds > 60)
  }

  @Test func `sending is a lie once nothing is in flight`() throws {
    let refused = try SmallWorld(
      """
      seed: 7
      horizon: 100 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      captures: [{ document: 100 KB, at: 0 s }]
      engine: { script: [{ when: { step: document }, then: { answer: 503 } }] }
      variants: { only: { client: outbox, policy: before } }
      """)
    let lying = VirtualParts.telling { text, claim, now in
      now < Instant(seconds: 1)
        ? (text, claim)
        : (StatusLine.Label.sending.rawValue, LineClaim(capture: claim.capture, state: .sending))
    }
    let found = try #require(try refused.run("only", parts: lying).honesty)
    #expect(found.findings[0].contains("no request was in flight"))
    #expect(found.worstSeconds > 50)
  }

  @Test(arguments: [
    ("the link is up", QuietFinding.Engine.asked, LinkState.up, "the link was down"),
    ("the link is down", .notAsked, .down, "the link was up"),
    ("the engine answers", .answered, .unknown, "the engine had not answered"),
    ("HTTP 200 from a stranger", .stranger(200), .unknown, "nobody had answered so"),
    ("the engine is down", .asked, .unknown, "was down"),
  ])
  func `a finding that was not so is found`(
    words: String, engine: QuietFinding.Engine, link: LinkState, why: String
  ) throws {
    let found = try honesty { text, claim, now in
      // Within the outage, or before it.
      let (from, to) = link == .down ? (10.0, 20.0) : (40.0, 50.0)
      guard claim.transfer != nil, now > Instant(seconds: from), now < Instant(seconds: to)
      else { return (text, claim) }
      var lied = claim
      lied.finding = QuietFinding(link: link, engine: engine, at: now)
      let figures = text.prefix { $0 != ";" }.replacing(" down", with: "")
      return ("\(figures); \(words)", lied)
    }
    #expect(found.findings.first?.contains(why) == true, "\(found.findings)")
  }

  @Test(arguments: [(2, []), (3, ["it counts 1 of 3, and there is a plate of 2"])])
  func `the photos of a plate are counted, as many as there are`(
    shown: Int, findings: [String]
  ) throws {
    let plate = try SmallWorld(
      """
      seed: 7
      horizon: 100 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      captures: [{ plate: { photos: 2, size: 100 KB }, at: 0 s }]
      variants: { only: { client: outbox, policy: after } }
      """)
    let counting = VirtualParts.telling { text, claim, _ in
      (text.replacing("photo 1 of 2", with: "photo 1 of \(shown)"), claim)
    }
    let found = try #require(try plate.run("only", parts: counting).honesty)
    #expect(found.findings.count == findings.count)
    for (finding, why) in zip(found.findings, findings) { #expect(finding.contains(why)) }
  }

  @Test func `a rate in a silence is a lie`() throws {
    var last: RateStretch?
    let found = try honesty { text, claim, now in
      var lied = claim
      if let rate = claim.transfer?.rate { last = rate }
      if now > Instant(seconds: 50), now < Instant(seconds: 55) { lied.transfer?.rate = last }
      return (text, lied)
    }
    #expect(found.findings.first?.contains("no byte had moved lately") == true)
  }
}

extension VirtualParts {
  /// A client that shows other lines than it means to.
  static func telling(_ telling: @escaping LineTelling) -> VirtualParts {
    var parts = VirtualParts()
    parts.telling = telling
    return parts
  }
}
