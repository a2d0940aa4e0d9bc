import Captures
import Foundation
import Quantities
import ScratchEngine
import Testing

/// A client that waits for `100 Continue`, and what the script makes of that.
struct ContinueTests {
  private static let body = String(repeating: "a", count: 100)
  private static let head = Spoken.head(
    "PUT", Spoken.copyTarget, declared: 100, "Expect: 100-continue\r\n")

  private func exchange(_ deed: ScriptedDeed?, expects: Bool? = nil) -> Exchange {
    let rules = deed.map {
      [ScriptRule(when: RequestPattern(step: .copy, expectsContinue: expects), then: $0)]
    }
    var talk = Exchange(Engine(script: EngineScript(rules: rules ?? [])) { StandInDigest() })
    let place = talk.open()
    talk.receive(Spoken.record, on: place)
    _ = talk.takeActs(place)
    return talk
  }

  @Test func `it is sent at once, and the ledger says when`() {
    var talk = exchange(nil)
    talk.receive(Self.head, on: 0)
    #expect(talk.takeActs(0) == "100@0.0")
    talk.pass(to: Instant(seconds: 2))
    talk.receive(Self.body, on: 0)
    #expect(talk.takeActs(0) == "201@2.0")
    let request = talk.engine.ledger.requests[1]
    #expect(request.expectsContinue && request.continuedAt == .zero)
    #expect(talk.engine.ledger.requests[0].expectsContinue == false)
    #expect(talk.engine.ledger.requests[0].continuedAt == nil)
  }

  @Test func `held, it comes late, whether or not the body has begun`() {
    for begun in ["", "aa"] {
      var talk = exchange(ScriptedDeed(at: .head, .holdContinue(.seconds(5))))
      talk.receive(Self.head, on: 0)
      talk.pass(to: Instant(seconds: 1))
      talk.receive(begun, on: 0)
      talk.pass(to: Instant(seconds: 9))
      #expect(talk.takeActs(0) == "100@5.0")
      talk.receive(String(Self.body.dropFirst(begun.count)), on: 0)
      #expect(talk.takeActs(0) == "201@9.0")
      #expect(talk.engine.ledger.requests[1].continuedAt == Instant(seconds: 5))
    }
  }

  @Test func `held for longer than the body takes, it never comes, nor before the next answer`() {
    var talk = exchange(ScriptedDeed(at: .head, .holdContinue(.seconds(5))))
    talk.receive(Self.head, on: 0)
    talk.pass(to: Instant(seconds: 1))
    talk.receive(Self.body, on: 0)
    talk.pass(to: Instant(seconds: 3))
    talk.receive(Spoken.put("/files/a", "b").replacing("b", with: ""), on: 0)
    talk.pass(to: Instant(seconds: 9))
    #expect(talk.takeActs(0) == "201@1.0")
    #expect(talk.engine.ledger.requests[1].continuedAt == nil)
  }

  @Test func `never sent, the body is read all the same`() {
    var talk = exchange(ScriptedDeed(at: .head, .holdContinue(nil)))
    talk.receive(Self.head, on: 0)
    talk.pass(to: Instant(seconds: 1))
    #expect(talk.takeActs(0) == "")
    talk.receive(Self.body, on: 0)
    #expect(talk.takeActs(0) == "201@1.0")
    #expect(talk.engine.ledger.requests[1].continuedAt == nil)
  }

  @Test func `a request that does not wait for it is not held`() {
    var talk = exchange(ScriptedDeed(at: .head, .holdContinue(.seconds(5))))
    talk.receive(Spoken.put(Spoken.copyTarget, Self.body), on: 0)
    #expect(talk.takeActs(0) == "201@0.0")
  }

  @Test func `a final status in its place comes before any byte of the body`() {
    var talk = exchange(ScriptedDeed(at: .head, .answer(.init(413))))
    talk.receive(Self.head, on: 0)
    #expect(talk.takeActs(0) == "413@0.0 fin@0.0")
    talk.end(0)
    let request = talk.engine.ledger.requests[1]
    #expect(request.status == 413 && request.bodyBytes == 0 && request.continuedAt == nil)
    #expect(request.phase == .answer && request.endedBy == .engine)
  }

  @Test func `behind 417 the same connection carries the request once more, without waiting`() {
    var talk = exchange(ScriptedDeed(at: .head, .answer(.init(417))), expects: true)
    talk.receive(Self.head, on: 0)
    talk.pass(to: Instant(seconds: 1))
    talk.receive(Spoken.put(Spoken.copyTarget, Self.body), on: 0)
    #expect(talk.takeActs(0) == "417@0.0 201@1.0")
    let ledger = talk.engine.ledger
    #expect(ledger.requests.map(\.bodyBytes) == [Talk.record.utf8.count, 0, 100])
    #expect(ledger.over == [.request(0), .request(1), .request(2)])
  }

  @Test(arguments: ["a", String(repeating: "a", count: 100)])
  func `a client that has not waited for 417 has its connection closed`(begun: String) {
    var talk = exchange(ScriptedDeed(at: .head, .answer(.init(417))), expects: true)
    talk.receive(Self.head + begun, on: 0)
    #expect(talk.takeActs(0) == "417@0.0 fin@0.0")
    #expect(talk.engine.ledger.requests[1].bodyBytes == begun.utf8.count)
  }

  @Test func `a 417 that is told to close the connection closes it`() {
    for deed in [
      ScriptedAnswer(417, close: .end),
      .init(417, headers: [.init(name: "Connection", value: "close")]),
    ] {
      var talk = exchange(ScriptedDeed(at: .head, .answer(deed)), expects: true)
      talk.receive(Self.head, on: 0)
      #expect(talk.takeActs(0) == "417@0.0 fin@0.0")
    }
  }

  @Test func `a stall behind the head, and one in the silence after it, send it once`() {
    for (phase, acts) in [(ScriptPhase.head, "100@4.0"), (.silence(.seconds(3)), "100@0.0")] {
      var talk = exchange(ScriptedDeed(at: phase, .stall(.seconds(4))))
      talk.receive(Self.head, on: 0)
      talk.pass(to: Instant(seconds: 20))
      #expect(talk.takeActs(0) == acts)
    }
  }

  @Test func `a rule may be for requests without it alone`() {
    let without = RequestPattern(expectsContinue: false)
    #expect(without.covers(RequestPattern(step: .copy, expectsContinue: false)))
    #expect(!without.covers(RequestPattern(expectsContinue: true)))
    #expect(!without.covers(RequestPattern()))
    var talk = exchange(ScriptedDeed(.answer(.init(503))), expects: false)
    talk.receive(Self.head + Self.body, on: 0)
    // In one piece with the answer, as the body came with the head.
    #expect(talk.takeActs(0) == "100@0.0")
    #expect(talk.engine.ledger.requests[1].status == 201)
    talk.receive(Spoken.put(Spoken.copyTarget, Self.body), on: 0)
    #expect(talk.takeActs(0) == "503@0.0")
  }

  @Test func `it makes sense behind the head alone`() {
    for phase in [
      ScriptPhase.body(1), .silence(.seconds(1)), .whole, .stored, .answer(1),
    ] {
      #expect(ScriptedDeed(at: phase, .holdContinue(nil)).mismatch == .continueBehindHead)
    }
    #expect(ScriptedDeed(at: .head, .holdContinue(nil)).mismatch == nil)
  }
}
