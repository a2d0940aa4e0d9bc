import Captures
import LinkModel
import Quantities
import Scenarios
import ScratchEngine
import Testing
import Uploads

@Test func `every key reaches the scenario`() throws {
  let scenario = try decode(everything).get()
  #expect(scenario.name == "Everything")
  #expect(scenario.file == "a.yaml")
  #expect(scenario.sha256 == "\(everything.utf8.count) bytes")
  #expect(scenario.seed == .max)
  #expect(scenario.horizon == .seconds(900))
  let outages = [
    Outage(at: Instant(seconds: 40), duration: .seconds(100)),
    Outage(at: Instant(seconds: 150), duration: .seconds(1)),
  ]
  let faults = [
    ConnectionFault(
      .refuse, which: ConnectionChoice(from: .zero, until: Instant(seconds: 30))),
    ConnectionFault(.silent, which: ConnectionChoice(number: 2)),
    ConnectionFault(
      .cut(StreamPlace(.up, 500_000), as: .reset), which: ConnectionChoice(number: 3)),
    ConnectionFault(.cut(StreamPlace(.up, 1_000_000), as: .end)),
    ConnectionFault(.cut(StreamPlace(.down, 100), as: .silence)),
    ConnectionFault(.hold(StreamPlace(.down, 1_000), for: .seconds(100))),
    ConnectionFault(.slowClose(.seconds(5))), ConnectionFault(.dark(at: Instant(seconds: 20))),
  ]
  #expect(
    scenario.link
      == LinkConditions(
        up: DirectionConditions(
          rate: .steps([
            RateStep(at: .zero, rate: .unlimited),
            RateStep(at: Instant(seconds: 40), rate: .limited(.kilobytes(5))),
          ]), outages: outages, latency: .milliseconds(20), jitter: .milliseconds(5),
          loss: Loss(ratio: 0.02, stall: .seconds(1))),
        down: DirectionConditions(
          rate: .limited(.kilobytes(200)), outages: outages, latency: .milliseconds(30),
          jitter: .milliseconds(5), loss: Loss(ratio: 0.005, stall: .milliseconds(250))),
        buffer: .kilobytes(64), faults: faults))
  #expect(
    scenario.captures == [
      PlannedCapture(
        plan: CapturePlan(
          name: "tower",
          kind: .photo(
            PhotoPlan(
              original: .megabytes(4.31), copy: .megabytes(1.65), taken: "2024-02-29T23:59:59Z",
              place: Place(latitude: -48.8583, longitude: 2.2945)))), at: .zero),
      PlannedCapture(
        plan: CapturePlan(
          name: "document-1", kind: .document(DocumentPlan(size: .kilobytes(400)))),
        at: Instant(seconds: 2.5)),
      PlannedCapture(
        plan: CapturePlan(
          name: "photo-2",
          kind: .photo(PhotoPlan(original: .megabytes(2), copy: .megabytes(1)))),
        at: Instant(seconds: 3)),
      PlannedCapture(
        plan: CapturePlan(
          name: "plate-1",
          kind: .plate(
            PlatePlan(
              photos: 3, size: .kilobytes(600), taken: "2024-02-29T23:59:59Z",
              place: Place(latitude: -48.8583, longitude: 2.2945)))),
        at: Instant(seconds: 4)),
    ])
  var portal = ScriptedAnswer.portal
  portal.dribble = ScriptedDribble(bytes: 1, every: .seconds(10))
  #expect(
    scenario.engine
      == EngineScript(
        turnTakes: .seconds(5), liveTakes: .milliseconds(1_500), heartbeat: .seconds(20),
        keepAlive: KeepAlive(timeout: .milliseconds(900), close: .reset, requests: 100),
        rules: [
          ScriptRule(
            when: RequestPattern(step: .turn, attempt: 1),
            then: .init(
              .answer(.init(503, headers: [HeaderLine(name: "Retry-After", value: "30")])))),
          ScriptRule(when: RequestPattern(step: .copy), then: .init(.delay(.seconds(5)))),
          ScriptRule(
            when: RequestPattern(
              method: "PUT", path: "/api/*", bodyAtLeast: 1_000_000, from: Instant(seconds: 10),
              until: Instant(seconds: 60), connection: 2),
            times: 3, then: .init(at: .body(500_000), .stall(.seconds(100)))),
          ScriptRule(
            when: RequestPattern(step: .original, attempt: 1),
            then: .init(
              at: .head,
              .answer(
                .init(413, body: "Too large.", close: .reset, closeAfter: .seconds(1))))),
          ScriptRule(
            when: RequestPattern(step: .original, attempt: 2),
            then: .init(at: .answer(20), .close(.end))),
          ScriptRule(
            when: RequestPattern(step: .document, attempt: 1),
            then: .init(at: .silence(.seconds(60)), .answer(.init(408)))),
          ScriptRule(
            when: RequestPattern(step: .document, attempt: 2, expectsContinue: true),
            then: .init(at: .head, .holdContinue(nil))),
          ScriptRule(
            when: RequestPattern(from: Instant(seconds: 5), connection: 3, chance: 0.25),
            then: .init(at: .connect, .stall(.seconds(11)))),
          ScriptRule(
            when: RequestPattern(step: .record, attempt: 1),
            then: .init(at: .head, .answer(portal))),
          ScriptRule(
            when: RequestPattern(step: .record, attempt: 2),
            then: .init(.answer(.init(200, length: 300)))),
          ScriptRule(
            when: RequestPattern(step: .record, attempt: 3),
            then: .init(.answer(.init(.raw("no HTTP"))))),
          ScriptRule(
            when: RequestPattern(step: .document),
            then: .init(at: .bodyTime(.seconds(30)), .answer(.init(408)))),
        ]))
  #expect(
    scenario.acts.map { "\($0.at.seconds) s: \($0.deed)" } == [
      "40.0 s: kill", "41.0 s: start", "50.0 s: refresh", "50.0 s: sendNow(\"tower\")",
      "51.0 s: discard(\"document-1\")",
      "51.0 s: setClock(by: -3600.0 seconds)", "52.0 s: fillDisk", "53.0 s: freeDisk",
      "54.0 s: powerLoss", "55.0 s: start",
    ])
  #expect(scenario.acts[0].mark == Mark(line: 93, column: 9))
  var mine = UploadPolicy.before
  mine.idle = .fromBody(atLeast: .seconds(120))
  mine.ceiling = .seconds(1_800)
  mine.line = .live
  mine.coalescing = true
  mine.cut = .close
  mine.syncPause = .seconds(30)
  mine.sendBuffer = 32_000
  mine.counting = .acknowledged
  mine.numbers = .comma
  var other = UploadPolicy.after
  other.idle = .fixed(.seconds(45))
  other.coalescing = false
  other.doneSet = false
  other.stableIDs = false
  other.order = .newestFirst
  other.holdsSlow = true
  other.backsOff = true
  other.strangers = .wait
  var page = UploadPolicy.after
  page.client = .card
  #expect(
    scenario.variants == [
      Variant(name: "mine", policy: mine), Variant(name: "other", policy: other),
      Variant(name: "page", policy: page),
    ])
  #expect(scenario.expectations.count == 31)
}

@Test(arguments: [
  ("attempts", "each 1", Expected.each(1)),
  ("attempts.copy", "7", .number(.equal, 7, tolerancePercent: 0)),
  ("attempts", "=7", .number(.equal, 7, tolerancePercent: 0)),
  ("lines.distinct", "\">= 299\"", .number(.atLeast, 299, tolerancePercent: 0)),
  ("lines.first-live", "<= 3.5 s", .number(.atMost, 3.5, tolerancePercent: 0)),
  ("lines.first-live", "never", .never),
  ("wire.copy", "9.93 MB +- 1 %", .number(.equal, 9_930_000, tolerancePercent: 1)),
  ("wire", "<=5MB+-0.5%", .number(.atMost, 5_000_000, tolerancePercent: 0.5)),
  ("finished", "5 min +- 2 %", .number(.equal, 300, tolerancePercent: 2)),
  ("landed", "all", .all), ("landed", "none", .none),
  ("landed", "3", .number(.equal, 3, tolerancePercent: 0)),
])
func `an expectation is read by its measure`(name: String, text: String, expected: Expected) throws
{
  let file = sound.replacing(once: "attempts: 1", with: "\(name): \(text)")
  let expectation = try #require(try decode(file).get().expectations.first)
  #expect(expectation.expected == expected)
  #expect(expectation.name == name)
  #expect(expectation.variant == "before")
  #expect(expectation.text == text.filter { $0 != "\"" })
  #expect(expectation.line == 16)
}

@Test func `a trace is read from its file, which is part of what identifies the scenario`() throws {
  let scenario = try decode(opportune).get()
  let trace = try Trace(parsing: Array("1\n7\n".utf8), scale: 0.5, playsOnce: true)
  #expect(scenario.link.up.rate == .trace(trace))
  #expect(scenario.link.down.rate == .lumps(.kilobytes(200), every: .milliseconds(300)))
  // The stand-in for a digest counts bytes: those of the file, and of "4 bytes".
  #expect(scenario.sha256 == "\(opportune.utf8.count + 7) bytes")
}

@Test func `offline and unlimited are words`() throws {
  let text = sound.replacing(once: "up: 20 KB/s", with: "up: offline")
    .replacing(once: "down: 200 KB/s", with: "down: unlimited")
  let link = try decode(text).get().link
  #expect(link.up.rate == .offline)
  #expect(link.down.rate == .unlimited)
}

@Test func `what has no line in the file is left at its default`() throws {
  let scenario = try decode(sound.replacing(once: "  latency: 100 ms\n", with: "")).get()
  #expect(scenario.link.up.latency == .zero)
  #expect(scenario.engine == EngineScript())
  #expect(scenario.acts.isEmpty)
  #expect(scenario.variants == [Variant(name: "before", policy: .before)])
}

@Test func `a key with a value of the wrong kind is an error on its line, whichever key it is`() {
  var tried = 0
  let lines = everything.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  for (index, line) in lines.enumerated() {
    guard let colon = line.firstRange(of: ": "), !line.contains("{") else { continue }
    var changed = lines
    changed[index] = line[..<colon.upperBound] + "[[]]"
    let found = errors(in: changed.joined(separator: "\n"))
    #expect(
      found.contains { $0.hasPrefix("a.yaml:\(index + 1):") }, "no error for \(line)")
    tried += 1
  }
  #expect(tried > 50)
}
