import Bench
import Reports
import Testing

/// What a user does by hand, as acts of a scenario in the virtual world.
struct UserActTests {
  private func run(_ acts: String, script: String = "") throws -> VariantRecord {
    try SmallWorld(
      """
      seed: 7
      horizon: 240 s
      link: { up: 20 KB/s, down: 200 KB/s, latency: 100 ms, buffer: 64 KB }
      captures:
        - { photo: { original: 300 KB, copy: 100 KB }, at: 0 s }
        - { photo: { original: 60 KB, copy: 20 KB }, at: 3 s }
      engine: { turn: { takes: 5 s }, script: [\(script)] }
      acts: [\(acts)]
      variants:
        after: { client: outbox, policy: after }
      """
    ).run("after")
  }

  @Test func `a capture that was refused and is sent now lands, and the run waits for it`() throws {
    let record = try run(
      "{ at: 100 s, do: send-now, capture: photo-1 }",
      script: "{ when: { step: copy }, times: 1, then: { answer: 400 } }")
    #expect(record.outcome == .finished && record.parked == 0)
    #expect(record.files.allSatisfy { $0.landed && $0.sha256Matches == true })
    #expect(record.attempts("copy") == [2, 1])
    let finished = try #require(record.finishedAt)
    #expect(finished > 120 && finished < 130)
    #expect(record.exactlyOnce == ExactlyOnceRecord(moments: 2))
  }

  @Test func `a capture that is discarded while it is sent is not lost, and the next one lands`()
    throws
  {
    let record = try run("{ at: 4 s, do: discard, capture: photo-1 }")
    #expect(record.outcome == .finished && record.exactlyOnce.lost == 0)
    #expect(record.files.map(\.landed) == [false, false, true, true])
    let copy = try #require(record.requests.first { $0.step == "copy" })
    #expect(copy.end == "reset" && abs(copy.at + copy.seconds - 4) < 0.2)
    #expect(record.instrument.discarded > 0)
  }

  @Test func `an act that changes nothing ends the run there, and not at the horizon`() throws {
    let record = try run(
      "{ at: 100 s, do: discard, capture: photo-1 }, { at: 120 s, do: refresh }")
    #expect(record.outcome == .finished)
    #expect(record.files.allSatisfy { $0.landed })
    #expect(record.timeline.last?.at == 120)
  }
}
