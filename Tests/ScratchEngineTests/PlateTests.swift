import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct PlateTests {
  private func stage(_ talk: inout Talk, _ id: String, _ body: String) -> ServerAnswer? {
    talk.send("POST", "/api/staged-uploads?request_id=\(id)", Array(body.utf8))
  }

  private func meet(_ talk: inout Talk, _ id: String, _ staged: String) -> ServerAnswer? {
    talk.send(
      "POST", "/api/encounters",
      Array(#"{"request_id":"\#(id)","kind":"plate","staged":[\#(staged)]}"#.utf8))
  }

  @Test func `an encounter is minted an id and lists what was staged for it`() {
    var talk = Talk()
    let digest = StandInDigest.of(Array("photo".utf8))
    #expect(
      stage(&talk, "s1", "photo")?.text
        == #"{"id":"s1","bytes":5,"sha256":"\#(digest)","replayed":false}"#)
    let members =
      #"{"id":"plate-1","request_id":"e1","kind":"plate","note":null,"captured_at":null,"#
      + #""time_zone":null,"place":null,"staged":[{"id":"s1","bytes":5,"sha256":"\#(digest)"}]"#
    #expect(meet(&talk, "e1", #""s1""#)?.text == members + #","replayed":false}"#)
    #expect(
      talk.send("GET", "/api/encounters")?.text == #"{"encounters":["# + members
        + #"}],"next":null}"#)
    _ = stage(&talk, "s2", "another")
    #expect(meet(&talk, "e2", #""s2""#)?.text.hasPrefix(#"{"id":"plate-2""#) == true)
  }

  @Test(arguments: [
    (#""s9""#, 409, "staged_missing"), ("", 422, "invalid_field"),
    (#""s1","s1""#, 422, "invalid_field"), (#""taken""#, 422, "staged_taken"),
  ])
  func `an encounter that names what it cannot have is refused`(
    _ staged: String, _ status: Int, _ code: String
  ) {
    var talk = Talk()
    _ = stage(&talk, "s1", "photo")
    _ = stage(&talk, "taken", "other")
    _ = meet(&talk, "e1", #""taken""#)
    let answer = meet(&talk, "e2", staged)
    #expect(answer?.status == status)
    #expect(answer?.text.contains(#""code":"\#(code)""#) == true)
    // Nothing was taken by it.
    #expect(meet(&talk, "e3", #""s1""#)?.status == 201)
  }

  @Test(arguments: ["", "?request_id=", "?request_id=a%20b", "?id=s1"])
  func `a staged upload needs an id, and is told so before its body`(_ query: String) {
    var talk = Talk()
    let answer = talk.send(
      "POST", "/api/staged-uploads\(query)", Array("photo".utf8), expects: true)
    #expect(answer?.status == 422)
    #expect(talk.ledger.requests.last?.bodyBytes == 0)
  }

  @Test func `staged uploads count as attempts by their id`() {
    var talk = Talk()
    let target = "/api/staged-uploads?request_id=s1"
    talk.send("POST", target, .copy, cut: .inBody)
    talk.send("POST", target, .copy, cut: .beforeAnswer)
    talk.send("POST", target, .copy, cut: .inBody)
    talk.send("POST", target, .copy)
    #expect(talk.ledger.requests.map(\.attempt) == [1, 2, 3, 4])
    #expect(talk.ledger.uses == [.abandoned, .useful, .repeated, .repeated])
    let files = talk.ledger.files
    #expect(files.map(\.upload) == ["s1"])
    #expect(files.map(\.attempts) == [4])
    #expect(files.map(\.replays) == [1])
    #expect(files.map(\.storedBytes) == [1_650])
    talk.send("POST", "/api/staged-uploads?request_id=s2", .copy)
    #expect(talk.ledger.duplicates == 1)
  }

  @Test func `an encounter is read back by the request id of its client`() {
    var talk = Talk()
    _ = stage(&talk, "s1", "photo")
    _ = stage(&talk, "s2", "other")
    _ = meet(&talk, "e1", #""s1""#)
    _ = meet(&talk, "e2", #""s2""#)
    let one = talk.send("GET", "/api/encounters?request_id=e2")?.text
    #expect(one?.hasPrefix(#"{"encounters":[{"id":"plate-2","request_id":"e2""#) == true)
    #expect(one?.hasSuffix(#"}],"next":null}"#) == true)
    #expect(
      talk.send("GET", "/api/encounters?request_id=e3")?.text == #"{"encounters":[],"next":null}"#)
    #expect(
      talk.ledger.requests.map(\.step)
        == [.staged, .staged, .encounter, .encounter, .readback, .readback])
    #expect(talk.ledger.momentsStored == 2)
  }

  @Test func `plates have their limits`() {
    var limits = EngineLimits()
    limits.plates = 1
    limits.perMoment = 1
    limits.store = 10
    var talk = Talk(limits: limits)
    #expect(stage(&talk, "s1", "more than ten bytes")?.status == 507)
    #expect(stage(&talk, "s1", "photo")?.status == 201)
    #expect(stage(&talk, "s2", "x")?.status == 507)
    #expect(meet(&talk, "e1", #""s1","s2""#)?.status == 507)
    #expect(meet(&talk, "e1", #""s1""#)?.status == 201)
  }
}
