import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct ScriptTests {
  private let refuseFirstTurn = ScriptRule(
    when: RequestPattern(step: .turn, attempt: 1),
    then: .init(.answer(.init(503, headers: [HeaderLine(name: "Retry-After", value: "30")]))))

  @Test func `a rule answers its attempt and no other, and nothing of it is stored`() {
    var talk = Talk(EngineScript(turnTakes: .seconds(5), rules: [refuseFirstTurn]))
    talk.putRecord()
    talk.putMedia("c1", "copy", .copy)
    let first = talk.postTurn()
    #expect(first?.status == 503)
    #expect(first?.fields.first("Retry-After") == "30")
    #expect(
      first?.text
        == #"{"error":{"code":"scripted","message":"The script answers this attempt with 503."}}"#)
    #expect(talk.answeredAt == .zero)
    #expect(talk.postTurn()?.text.contains(#""replayed":false"#) == true)
    #expect(talk.ledger.requests.filter { $0.step == .turn }.map(\.attempt) == [1, 2])
  }

  @Test func `attempts count for each moment and step, also those that were cut`() {
    var talk = Talk(
      EngineScript(rules: [
        ScriptRule(
          when: RequestPattern(step: .copy, attempt: 2), then: .init(.answer(.init(500))))
      ]))
    talk.putRecord()
    talk.putMedia("o1", "original", .original, cut: .inBody)
    talk.putMedia("c1", "copy", .copy, cut: .afterHead)
    #expect(talk.putMedia("o1", "original", .original)?.status == 201)
    #expect(talk.putMedia("c1", "copy", .copy)?.status == 500)
    #expect(talk.putMedia("c1", "copy", .copy)?.status == 201)

    let second = "01J8Z0000000000000000000CD"
    talk.putRecord(#"{"request_id":"e2","kind":"photo"}"#, moment: second)
    #expect(talk.putMedia("c2", "copy", [9], moment: second)?.status == 201)
    #expect(talk.ledger.attempts(.copy) == 4)
    #expect(talk.ledger.attempts(.copy, moment: second) == 1)
  }

  @Test func `a delay comes on top of the ordinary answer, which is stored`() {
    var talk = Talk(
      EngineScript(
        turnTakes: .seconds(5),
        rules: [ScriptRule(when: RequestPattern(attempt: 1), then: .init(.delay(.seconds(2))))]))
    talk.putRecord()
    #expect(talk.answeredAt == Instant(seconds: 2))
    talk.putMedia("c1", "copy", .copy)
    #expect(talk.answeredAt == Instant(seconds: 4))
    talk.postTurn()
    #expect(talk.answeredAt == Instant(seconds: 11))
    talk.postTurn()
    #expect(talk.answeredAt == Instant(seconds: 11))
  }

  @Test func `the first rule that matches acts`() {
    var talk = Talk(
      EngineScript(rules: [
        ScriptRule(when: RequestPattern(step: .record), then: .init(.answer(.init(204)))),
        ScriptRule(when: RequestPattern(), then: .init(.answer(.init(418)))),
      ]))
    #expect(talk.putRecord()?.status == 204)
    #expect(talk.send("GET", "/api/health")?.status == 418)
    #expect(talk.send("GET", "/nothing")?.status == 418)
  }

  @Test func `a rule reads the whole request, whatever its length, and may close`() {
    var limits = EngineLimits()
    limits.media = 100
    limits.readOver = 100
    var engine = Engine(
      script: EngineScript(rules: [
        ScriptRule(
          when: RequestPattern(step: .copy),
          then: .init(
            .answer(.init(429, headers: [HeaderLine(name: "connection", value: "close")]))))
      ]), limits: limits
    ) { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/api/moments/\(Talk.moment)/media/c1?role=copy",
      framing: .length(1_650))
    #expect(engine.requestHead(head, on: id, at: .zero) == .readOn)
    #expect(engine.bodyBytes([UInt8].copy[...], on: id, at: .zero) == .readOn)
    let reply = engine.requestEnded(on: id, at: .zero)?.reply
    #expect(reply?.answer.status == 429)
    #expect(reply?.closes == true)
    #expect(engine.ledger.requests.first?.sha256 == StandInDigest.of(.copy))
    #expect(engine.ledger.requests.first?.stored == false)
  }
}
