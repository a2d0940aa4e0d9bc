import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct MediaTests {
  @Test func `a file is answered with its receipt, replayed, and read back`() {
    var talk = Talk()
    talk.putRecord()
    let digest = StandInDigest.of(.copy)
    let first = talk.putMedia("c1", "copy", .copy)
    #expect(first?.status == 201)
    #expect(first?.text == #"{"id":"c1","bytes":1650,"sha256":"\#(digest)","replayed":false}"#)
    let again = talk.putMedia("c1", "copy", .copy)
    #expect(again?.status == 200)
    #expect(again?.text == #"{"id":"c1","bytes":1650,"sha256":"\#(digest)","replayed":true}"#)

    let back = talk.send("GET", "/api/moments/\(Talk.moment)/media/c1")
    #expect(back?.body == .copy)
    #expect(
      back?.fields == [
        HeaderField("Content-Type", "image/jpeg"),
        // Eight octets in base 64, by Python.
        HeaderField("Repr-Digest", "sha-256=:1dMql/JZLSc=:"),
      ])
    let record = talk.send("GET", "/api/moments/\(Talk.moment)")
    #expect(
      record?.text.contains(
        #""media":[{"id":"c1","role":"copy","bytes":1650,"sha256":"\#(digest)"}]"#) == true)
  }

  @Test func `a file with other content or another role is refused and the first stays`() {
    var talk = Talk()
    talk.putRecord()
    talk.putMedia("c1", "copy", .copy)
    for answer in [talk.putMedia("c1", "copy", .original), talk.putMedia("c1", "original", .copy)] {
      #expect(answer?.status == 422)
      #expect(answer?.text.contains(#""code":"content_differs""#) == true)
    }
    #expect(talk.send("GET", "/api/moments/\(Talk.moment)/media/c1")?.body == .copy)
    #expect(talk.ledger.duplicates == 0)
  }

  @Test func `a file without its record, role or bytes is refused`() {
    var talk = Talk()
    #expect(
      talk.putMedia("c1", "copy", .copy)?.text
        == #"{"error":{"code":"unknown_moment","message":"There is no moment 01J8Z0000000000000000000AB; send its record first."}}"#
    )
    talk.putRecord()
    #expect(talk.putMedia("c1", "thumbnail", .copy)?.status == 422)
    #expect(talk.putMedia("c1", "copy", [])?.text.contains("empty_body") == true)
    #expect(talk.send("GET", "/api/moments/\(Talk.moment)/media/c1")?.status == 404)
    #expect(talk.ledger.requests.map(\.decidedStatus) == [404, 201, 422, 422, 404])
  }

  @Test func `a file above the limit is refused from its head or at the limit`() {
    var limits = EngineLimits()
    limits.media = 2_000
    limits.readOver = 5_000
    var talk = Talk(limits: limits)
    talk.putRecord()
    #expect(talk.putMedia("c1", "copy", [UInt8](repeating: 1, count: 2_000))?.status == 201)
    let message =
      #"{"error":{"code":"body_too_large","message":"The body is larger than 2000 bytes."}}"#

    // Short enough to be read over: the answer finds a client that listens.
    let short = talk.putMedia("o1", "original", .original)
    #expect(short?.text == message)
    #expect(talk.ledger.requests.last?.bodyBytes == 4_310)
    // Too long for that: answered from the head.
    #expect(talk.putMedia("o1", "original", [UInt8](repeating: 1, count: 5_001))?.status == 413)
    #expect(talk.ledger.requests.last?.bodyBytes == 0)
    // Not declared: answered when it passes the limit.
    let chunked = talk.send(
      "PUT", "/api/moments/\(Talk.moment)/media/o2?role=original", .original, framing: .chunked)
    #expect(chunked?.text == message)
    #expect(talk.ledger.requests.last?.bodyBytes == 2_155)
    #expect(talk.ledger.files.map(\.storedBytes) == [2_000, nil])
  }

  @Test func `a body that was answered early has no digest`() {
    var limits = EngineLimits()
    limits.media = 2
    var talk = Talk(limits: limits)
    talk.putRecord()
    let id = talk.engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/api/moments/\(Talk.moment)/media/c1?role=copy", framing: .chunked)
    #expect(talk.engine.requestHead(head, on: id, at: .zero) == .readOn)
    guard case .answer(let reply) = talk.engine.bodyBytes([1, 2, 3], on: id, at: .zero) else {
      Issue.record("no early answer")
      return
    }
    #expect(reply.answer.status == 413)
    #expect(talk.engine.bodyBytes([4], on: id, at: .zero) == .readOn)
    #expect(talk.engine.requestEnded(on: id, at: .zero) == nil)
    talk.engine.answerSent(on: id, at: .zero)
    #expect(talk.ledger.requests.last?.sha256 == nil)
    #expect(talk.ledger.requests.last?.bodyBytes == 4)
    #expect(talk.ledger.requests.last?.status == 413)
    #expect(talk.ledger.uses == [nil, .abandoned])
  }

  @Test func `a client that waits for 100 is told at once`() {
    var talk = Talk()
    let target = "/api/moments/\(Talk.moment)/media/c1?role=copy"
    #expect(talk.send("PUT", target, .copy, expects: true)?.status == 404)
    #expect(talk.ledger.requests.last?.bodyBytes == 0)
    talk.putRecord()
    let id = talk.engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: target, framing: .length(1_650), expectsContinue: true)
    #expect(talk.engine.requestHead(head, on: id, at: .zero) == .sendContinue)
  }

  @Test func `the store has its limits`() {
    var limits = EngineLimits()
    limits.store = 2_000
    limits.perMoment = 2
    limits.moments = 1
    var talk = Talk(limits: limits)
    talk.putRecord()
    let second = #"{"request_id":"e2","kind":"photo"}"#
    #expect(talk.putRecord(second, moment: "01J8Z0000000000000000000CD")?.status == 507)
    #expect(talk.putMedia("c1", "copy", .copy)?.status == 201)
    #expect(talk.putMedia("o1", "original", .original)?.status == 507)
    #expect(talk.putMedia("o1", "original", [1])?.status == 201)
    #expect(talk.putMedia("o2", "original", [2])?.status == 507)
    #expect(talk.putMedia("c1", "copy", .copy)?.status == 200)
  }
}
