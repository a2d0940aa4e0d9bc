import Captures
import Quantities
import ScratchEngine
import Testing

/// A body that falls silent, and the script that acts then: bytes and acts of one connection.
struct SilenceTests {
  struct Row: CustomTestStringConvertible {
    var action: ScriptAction
    var acts: String
    var end: LedgerRequest.End
    var by: LedgerRequest.Party? = .engine
    var testDescription: String { "\(action)" }
  }

  /// Of a body of 100 bytes, 37 come by 10 s.
  static let rows = [
    Row(action: .answer(.init(408)), acts: "408@70.0 fin@70.0 close@100.0", end: .answered),
    Row(
      action: .answer(.init(400, body: #"{"code":"RequestTimeout"}"#, close: .reset)),
      acts: "400@70.0 reset@70.0", end: .answered),
    Row(action: .close(.end), acts: "fin@70.0 close@100.0", end: .closed, by: .script),
    Row(action: .close(.reset), acts: "reset@70.0", end: .reset, by: .script),
    Row(action: .close(.silence), acts: "", end: .open, by: nil),
    Row(action: .stall(.seconds(5)), acts: "", end: .open, by: nil),
  ]

  private func exchange(_ action: ScriptAction, times: Int? = 1) -> Exchange {
    let rule = ScriptRule(
      when: RequestPattern(step: .copy), times: times,
      then: ScriptedDeed(at: .silence(.seconds(60)), action))
    var talk = Exchange(Engine(script: EngineScript(rules: [rule])) { StandInDigest() })
    let place = talk.open()
    talk.receive(Spoken.record, on: place)
    _ = talk.takeActs(place)
    return talk
  }

  private static let head = Spoken.head("PUT", Spoken.copyTarget, declared: 100)
  private static let body = String(repeating: "a", count: 100)

  @Test(arguments: rows)
  func `an action happens once no byte has come for so long, and a repeat is stored`(row: Row) {
    var talk = exchange(row.action)
    talk.receive(Self.head + "aaaaaaaaaaaaaaaaaaaa", on: 0)
    talk.pass(to: Instant(seconds: 10))
    talk.receive("aaaaaaaaaaaaaaaaa", on: 0)
    talk.pass(to: Instant(seconds: 1_000))
    #expect(talk.takeActs(0) == row.acts)
    let request = talk.engine.ledger.requests[1]
    #expect(request.end == row.end && request.endedBy == row.by)
    #expect(request.bodyBytes == 37 && !request.stored && request.rule == 0)
    #expect(request.phase == (row.end == .answered ? .answer : .body))

    let place = talk.open()
    talk.receive(Self.head + Self.body, on: place)
    #expect(talk.takeActs(place) == "201@1000.0")
    #expect(talk.engine.ledger.files.map(\.storedBytes) == [100])
  }

  @Test func `a body that trickles, a byte for each minute but a moment, is no silent one`() {
    var talk = exchange(.answer(.init(408)), times: nil)
    talk.receive(Self.head, on: 0)
    for number in 1...100 {
      talk.pass(to: .zero + .milliseconds(59_999) * number)
      talk.receive("a", on: 0)
    }
    #expect(talk.takeActs(0) == "201@5999.9")
    #expect(talk.engine.ledger.requests[1].status == 201)
  }

  @Test func `a head without a byte of its body is silent from then on`() {
    var talk = exchange(.answer(.init(408)))
    talk.pass(to: Instant(seconds: 5))
    talk.receive(Self.head, on: 0)
    talk.pass(to: Instant(seconds: 66))
    #expect(talk.takeActs(0) == "408@65.0 fin@65.0")
    #expect(talk.engine.ledger.requests[1].bodyBytes == 0)
  }

  @Test func `behind a stall the silence has been, and the body goes on`() {
    var talk = exchange(.stall(.seconds(5)), times: nil)
    talk.receive(Self.head + "a", on: 0)
    talk.pass(to: Instant(seconds: 62))
    // What comes meanwhile waits in the path of a real one; here it is read once it is given in.
    talk.pass(to: Instant(seconds: 200))
    talk.receive(String(Self.body.dropFirst()), on: 0)
    #expect(talk.takeActs(0) == "201@200.0")
  }

  @Test func `a pause of the engine itself is no silence of the client`() {
    let rule = ScriptRule(
      when: RequestPattern(step: .copy), then: ScriptedDeed(.delay(.seconds(100))))
    var talk = Exchange(
      Engine(script: EngineScript(keepAlive: KeepAlive(timeout: .seconds(60)), rules: [rule])) {
        StandInDigest()
      })
    let place = talk.open()
    talk.receive(Spoken.record + Spoken.put(Spoken.copyTarget, Self.body), on: place)
    talk.pass(to: Instant(seconds: 100))
    #expect(talk.takeActs(place) == "201@0.0 201@100.0")
  }

  @Test func `to delay what has not come makes no sense`() {
    let mismatch = ScriptedDeed(at: .silence(.seconds(1)), .delay(.seconds(1))).mismatch
    #expect(mismatch == .delayBeforeWhole)
    for row in Self.rows {
      #expect(ScriptedDeed(at: .silence(.seconds(1)), row.action).mismatch == nil)
    }
  }
}
