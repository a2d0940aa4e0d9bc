import Bench
import Captures
import Quantities
import Reports
import Scenarios
import ScratchEngine
import TestSupport
import Testing

/// What the built-in client makes of each misbehaviour of the engine, in the virtual world.
struct ScriptedEngineTests {
  /// On a link that is never quiet, a body falls silent in none of them.
  static let deeds = ScriptMatrix(bytes: 50_000, time: .milliseconds(500)).deeds.filter {
    if case .silence = $0.at { false } else { true }
  }

  private func world(_ rule: String, policy: String = "policy: after") throws -> SmallWorld {
    try SmallWorld(
      """
      seed: 7
      horizon: 900 s
      link: { up: 100 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      captures:
        - photo: { original: 300 KB, copy: 100 KB }
          at: 0 s
      engine: { turn: { takes: 5 s }, script: [{ \(rule) }] }
      variants:
        only: { client: outbox, \(policy) }
      """)
  }

  private func world(_ when: RequestPattern, _ deed: ScriptedDeed) throws -> SmallWorld {
    var world = try world("when: { connection: 9 }, then: { close: end }")
    world.scenario.engine.rules = [ScriptRule(when: when, then: deed)]
    return world
  }

  /// All has landed in the end, once, and no byte is unaccounted for.
  private func expectKept(_ record: VariantRecord) {
    #expect(record.outcome == .finished)
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    #expect(record.instrument.carried == record.instrument.engineReceived)
    #expect(
      record.instrument.takenIn == record.instrument.carried + record.instrument.discarded)
  }

  @Test(arguments: deeds.filter { $0.at != .connect })
  func `a copy that meets any of them lands, and is stored once`(deed: ScriptedDeed) throws {
    // A refusal for good would park it.
    var deed = deed
    if case .answer(var answer) = deed.action, answer.status == 413 {
      answer.content = .made(status: 503, headers: [], body: nil, length: nil)
      deed.action = .answer(answer)
    }
    let record = try world(RequestPattern(step: .copy, attempt: 1), deed).run("only")
    expectKept(record)
    let isRepeated = !deed.action.isSlow
    #expect(record.attempts("copy") == [isRepeated ? 2 : 1])
    #expect(record.files.map(\.replays).max() == (deed.at.isStored && isRepeated ? 1 : 0))
    let first = try #require(record.requests.first { $0.step == "copy" })
    #expect((first.status == nil) == !(deed.action.isSlow || deed.action.givesAnswer))
  }

  @Test(arguments: deeds.filter { $0.at == .connect })
  func `a first connection that meets any of them loses nothing but time`(
    deed: ScriptedDeed
  ) throws {
    let record = try world(RequestPattern(connection: 1), deed).run("only")
    expectKept(record)
    #expect(record.attempts("copy") == [1] && record.attempts("original") == [1])
    // Nothing of it was a request, and the sync loop came back.
    #expect(record.requests.count { $0.step == "record" } == 1)
    #expect((record.finishedAt ?? 0) > (deed.action.isSlow ? 9 : 60))
  }

  /// Ten places in the body and ten in the answer of each step, by turns lost in both ways.
  @Test(arguments: [
    ("record", 14, 25), ("copy", 11_111, 18), ("turn", 7, 18), ("original", 33_333, 18),
  ])
  func `wherever the connection is lost, a step is done once under its id`(
    step: String, bodyStride: Int, answerStride: Int
  ) throws {
    for place in 0..<20 {
      let at: ScriptPhase =
        place < 10 ? .body(1 + place * bodyStride) : .answer(1 + (place - 10) * answerStride)
      let way: ScriptedClose = (place + place / 10) % 2 == 0 ? .end : .reset
      let record = try world(
        RequestPattern(step: UploadStep(rawValue: step), attempt: 1),
        ScriptedDeed(at: at, .close(way))
      ).run("only")
      expectKept(record)
      let tries = record.requests.filter { $0.step == step }
      #expect(tries.count == 2, "\(at)")
      #expect(tries.first?.endedBy == "script" && tries.first?.status == nil)
      #expect(tries.first?.phase == (place < 10 ? "body" : "answer"))
      #expect(record.requests.count { $0.step != nil } == 6)
    }
  }

  @Test func `no chance is no rule, to the byte, and a chance falls the same way each time`() throws
  {
    func run(_ chance: Double?, seed: UInt64 = 7) throws -> VariantRecord {
      var world = try world(
        RequestPattern(chance: chance ?? 0), ScriptedDeed(.answer(.init(503))))
      world.scenario.seed = seed
      if chance == nil { world.scenario.engine.rules = [] }
      return try world.run("only")
    }
    #expect(try run(0) == run(nil))
    #expect(try run(0.4) == run(0.4))
    expectKept(try run(0.4))
    let seeds = try (1...8).map { try run(0.4, seed: $0).requests.count { $0.status == 503 } }
    #expect(Set(seeds).count > 1)
  }

  @Test func `a portal takes nothing and parks nothing, and gets the record alone`() throws {
    var world = try world("when: { until: 60 s }, then: { answer: portal }")
    world.scenario.engine.rules[0].when.until = Instant(seconds: 60)
    let record = try world.run("only")
    expectKept(record)
    let early = record.requests.filter { $0.at < 60 }
    #expect(early.allSatisfy { $0.step == "record" && $0.status == 200 })
    #expect(early.reduce(0) { $0 + $1.bodyBytes } <= 5_000)
  }

  @Test(arguments: ["head", "{ body: 50 KB }", "whole", "stored"])
  func `a refusal for good is never lost, and parks after one attempt`(at: String) throws {
    for close in ["", ", close: end", ", close: reset, after: 1 s", ", close: silence"] {
      let record = try world(
        "when: { step: original }, then: { at: \(at), answer: 413\(close) }"
      ).run("only")
      #expect(record.attempts("original") == [1])
      #expect(record.exactlyOnce.lost == 0)
      #expect(record.requests.last { $0.step == "original" }?.status == 413)
      #expect(record.statusLines.lines.contains { $0.text.contains("413") })
    }
  }
}
