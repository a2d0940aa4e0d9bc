import Bench
import Quantities
import Reports
import ScratchEngine
import Testing

/// What the built-in client makes of each misbehaviour of the engine, in the virtual world.
struct ScriptedEngineTests {
  static let phases = ["head", "{ body: 50 KB }", "whole", "stored", "{ answer: 20 B }"]
  static let actions = [
    "answer: 503", "answer: 503, close: reset, after: 1 s", "answer: 503, close: silence",
    "delay: 5 s", "stall: 5 s", "close: end", "close: reset", "close: silence",
  ]

  /// A deed as a scenario writes it.
  struct Deed: CustomTestStringConvertible {
    var at: String
    var action: String
    var testDescription: String { "at: \(at), \(action)" }

    var makesSense: Bool {
      let isEarly = at == "head" || at.hasPrefix("{ body")
      if action.hasPrefix("delay") { return !isEarly }
      if action.hasPrefix("stall") { return isEarly }
      return !(action.hasPrefix("answer") && at.hasPrefix("{ answer"))
    }

    /// The body of the first attempt is stored.
    var stores: Bool { at == "stored" || at.hasPrefix("{ answer") || isSlow }
    /// Nothing is lost by it but time.
    var isSlow: Bool { action.hasPrefix("delay") || action.hasPrefix("stall") }
  }

  static let deeds = phases.flatMap { at in actions.map { Deed(at: at, action: $0) } }
    .filter(\.makesSense)

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

  @Test(arguments: deeds)
  func `a copy that meets any of them lands, and is stored once`(deed: Deed) throws {
    let record = try world(
      "when: { step: copy, attempt: 1 }, then: { at: \(deed.at), \(deed.action) }"
    ).run("only")
    #expect(record.outcome == .finished)
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    #expect(record.attempts("copy") == [deed.isSlow ? 1 : 2])
    #expect(record.files.map(\.replays).max() == (deed.stores && !deed.isSlow ? 1 : 0))
    #expect(record.instrument.carried == record.instrument.engineReceived)
    #expect(
      record.instrument.takenIn == record.instrument.carried + record.instrument.discarded)
  }

  /// Ten places in the body and ten in the answer, each lost in both ways.
  @Test(arguments: 0..<20, ["end", "reset"])
  func `wherever the connection is lost, the copy is stored once under its id`(
    place: Int, way: String
  ) throws {
    let at =
      place < 10 ? "{ body: \(1 + place * 11_111) B }" : "{ answer: \(1 + (place - 10) * 18) B }"
    let record = try world(
      "when: { step: copy, attempt: 1 }, then: { at: \(at), close: \(way) }"
    ).run("only")
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 1))
    #expect(record.attempts("copy") == [2])
    #expect(record.files.map(\.replays).max() == (place < 10 ? 0 : 1))
    let first = record.requests.first { $0.step == "copy" }
    #expect(first?.endedBy == "script" && first?.status == nil)
    #expect(first?.phase == (place < 10 ? "body" : "answer"))
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
