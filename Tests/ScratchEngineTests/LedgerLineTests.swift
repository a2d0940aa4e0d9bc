import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct LedgerLineTests {
  private static func lines(_ ledger: Ledger) -> [String] {
    ledger.over.map { LedgerLine.text(of: $0, in: ledger) }
  }

  @Test func `a request and its connection are one line each, with all that is known`() {
    var talk = Talk()
    talk.now = Instant(seconds: 1.5)
    talk.putMedia("c1", "copy", [1, 2, 3], cut: .inBody, takes: .seconds(2))
    #expect(
      Self.lines(talk.ledger) == [
        #"{"request":{"at":1.5,"connection":1,"method":"PUT","#
          + #""path":"/api/moments/01J8Z0000000000000000000AB/media/c1","step":"copy","#
          + #""moment":"01J8Z0000000000000000000AB","media":"c1","upload":null,"attempt":1,"rule":null,"#
          + #""expects_continue":false,"continued_at":null,"#
          + #""declared_bytes":3,"body_bytes":1,"body_ended_at":null,"sha256":null,"#
          + #""stored":false,"replayed":false,"decided":null,"status":null,"sent_bytes":0,"#
          + #""ended_at":2.5,"end":"reset","ended_by":"client","phase":"body","#
          + #""trail":[[1.5,1]]}}"#,
        #"{"connection":{"number":1,"rule":null,"opened_at":1.5,"ended_at":2.5,"end":"reset","#
          + #""received_bytes":0,"sent_bytes":0,"fault":null,"timed_out":false}}"#,
      ])
  }

  @Test func `what was answered and stored says so, with its rule`() throws {
    let rule = ScriptRule(when: RequestPattern(step: .copy), then: .init(.delay(.seconds(2))))
    var talk = Talk(EngineScript(rules: [rule]))
    talk.putRecord()
    talk.putMedia("c1", "copy", [1, 2, 3])
    talk.putMedia("c1", "copy", [1, 2, 3])
    let requests = Self.lines(talk.ledger).filter { $0.hasPrefix(#"{"request"#) }
    let digest = StandInDigest.of([1, 2, 3])
    for (line, (attempt, replayed)) in zip(requests.dropFirst(), [(1, false), (2, true)]) {
      #expect(line.contains(#""attempt":\#(attempt),"rule":1"#))
      #expect(line.contains(#""sha256":"\#(digest)","stored":\#(!replayed),"#))
      #expect(line.contains(#""replayed":\#(replayed),"decided":\#(replayed ? 200 : 201)"#))
      #expect(line.contains(#""end":"answered","ended_by":"engine""#))
    }
    #expect(requests.count == 3)
  }

  @Test func `a request that was answered early is over when its body is`() {
    let rule = ScriptRule(
      when: RequestPattern(), then: .init(at: .head, .answer(.init(413))))
    var engine = Engine(script: EngineScript(rules: [rule])) { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/x", fields: [HeaderField("Host", "localhost")],
      framing: .length(10))
    _ = engine.requestHead(head, on: id, at: .zero)
    engine.answerBegan(on: id)
    engine.wireSent(200, on: id)
    engine.answerSent(on: id, at: .zero)
    #expect(engine.ledger.requests.first?.end == .answered)
    _ = engine.bodyBytes([1, 2, 3, 4], on: id, at: .zero)
    #expect(engine.ledger.over.isEmpty)
    _ = engine.bodyBytes([1, 2, 3, 4, 5, 6], on: id, at: .zero)
    _ = engine.requestEnded(on: id, at: .zero)
    #expect(engine.ledger.over == [.request(0)])
    #expect(engine.ledger.requests.first?.bodyBytes == 10)
    #expect(engine.ledger.requests.first?.sent == 200)
    engine.connectionEnded(id, how: .closed, at: .zero)
    #expect(engine.ledger.over == [.request(0), .connection(0)])
  }
}
