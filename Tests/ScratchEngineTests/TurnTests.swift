import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct TurnTests {
  private func talkWithCopy(_ script: EngineScript = EngineScript(turnTakes: .seconds(5))) -> Talk {
    var talk = Talk(script)
    talk.putRecord()
    talk.putMedia("c1", "copy", .copy)
    return talk
  }

  @Test func `a turn is answered after its time, and its replay at once`() {
    var talk = talkWithCopy()
    talk.now = Instant(seconds: 10)
    let first = talk.postTurn()
    #expect(talk.answeredAt == Instant(seconds: 15))
    #expect(first?.status == 200)
    #expect(
      first?.text
        == #"{"request_id":"t1","answer":"I have read 1650 bytes of c1.","replayed":false}"#)
    talk.now = Instant(seconds: 20)
    let again = talk.postTurn()
    #expect(talk.answeredAt == Instant(seconds: 20))
    #expect(again?.text == first?.text.replacing("false", with: "true"))
  }

  @Test func `a turn goes on without its connection, and a repeat waits for the first`() {
    var talk = talkWithCopy()
    talk.now = Instant(seconds: 10)
    talk.postTurn(cut: .beforeAnswer)
    talk.now = Instant(seconds: 12)
    let record = talk.send("GET", "/api/moments/\(Talk.moment)")
    #expect(
      record?.text.contains(#""turns":[{"request_id":"t1","media_id":"c1","answer":null}]"#) == true
    )
    #expect(talk.postTurn()?.text.contains(#""replayed":true"#) == true)
    #expect(talk.answeredAt == Instant(seconds: 15))
    let requests = talk.ledger.requests.filter { $0.step == .turn }
    #expect(requests.map(\.end) == [.reset, .answered])
    #expect(requests.map(\.stored) == [true, false])
    #expect(requests.map(\.status) == [nil, 200])
    #expect(requests.map(\.decidedStatus) == [200, 200])
  }

  @Test func `a turn needs its copy`() {
    var talk = Talk()
    #expect(talk.postTurn()?.status == 404)
    talk.putRecord()
    let early = talk.postTurn()
    #expect(early?.status == 409)
    #expect(
      early?.text
        == #"{"error":{"code":"copy_missing","message":"The copy c1 is not stored; send it before the turn."}}"#
    )
    talk.putMedia("d1", "document", .original)
    #expect(talk.postTurn(media: "d1")?.text.contains(#""code":"not_a_copy""#) == true)
  }

  @Test func `a turn reads the copy, and the original where no copy was sent`() {
    var talk = Talk()
    talk.putRecord()
    talk.putMedia("o1", "original", .original)
    #expect(talk.postTurn("t1", media: "o1")?.status == 200)
    talk.putMedia("c1", "copy", .copy)
    #expect(talk.postTurn("t2", media: "o1")?.text.contains(#""code":"not_a_copy""#) == true)
    #expect(talk.postTurn("t2", media: "c1")?.status == 200)
    // A repeat is a replay, whatever came meanwhile.
    #expect(talk.postTurn("t1", media: "o1")?.text.contains(#""replayed":true"#) == true)
  }

  @Test func `a turn with other content is refused`() {
    var talk = talkWithCopy()
    talk.putMedia("c2", "copy", .original)
    talk.postTurn()
    let other = talk.postTurn(media: "c2")
    #expect(other?.status == 422)
    #expect(other?.text.contains(#""code":"content_differs""#) == true)
  }
}
