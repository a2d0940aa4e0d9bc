import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct LiveTests {
  @Test func `a live call is answered after its time, and a repeat when the first is`() {
    var talk = Talk(EngineScript(liveTakes: .seconds(5)))
    let body = Array(#"{"request_id":"l1","text":"Good day"}"#.utf8)
    talk.now = Instant(seconds: 10)
    talk.send("POST", "/api/live", body, cut: .beforeAnswer)
    talk.now = Instant(seconds: 12)
    let answer = talk.send("POST", "/api/live", body)
    #expect(talk.answeredAt == Instant(seconds: 15))
    #expect(
      answer?.text == #"{"request_id":"l1","answer":"I have heard 8 bytes.","replayed":true}"#)
  }

  @Test func `live calls have their limit`() {
    var limits = EngineLimits()
    limits.liveCalls = 1
    var talk = Talk(limits: limits)
    for (id, status) in [("l1", 200), ("l2", 507), ("l1", 200)] {
      let body = Array(#"{"request_id":"\#(id)","text":"x"}"#.utf8)
      #expect(talk.send("POST", "/api/live", body)?.status == status)
    }
  }
}
