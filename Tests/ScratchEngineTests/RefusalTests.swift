import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct RefusalTests {
  @Test func `the engine says that it is there`() {
    var talk = Talk()
    let answer = talk.send("GET", "/api/health")
    #expect(answer?.status == 200)
    #expect(answer?.text == #"{"ok":true,"engine":"onebar"}"#)
    #expect(talk.ledger.requests.first?.step == nil)
    #expect(talk.ledger.requests.first?.attempt == nil)
  }

  @Test(arguments: [
    (
      "GET", "/api/nothing?x=1", 404, "no_such_route", "There is nothing at /api/nothing."
    ),
    ("GET", "/api/health/", 404, "no_such_route", "There is nothing at /api/health/."),
    (
      "DELETE", "/api/moments/01J8Z0000000000000000000AB", 405, "method_not_allowed",
      "/api/moments/01J8Z0000000000000000000AB takes PUT, GET, HEAD, not DELETE."
    ),
    (
      "PUT", "/api/moments/01j8z0000000000000000000ab", 400, "bad_moment_id",
      "A moment's id is a ULID: 26 digits and capitals, without I, L, O and U."
    ),
    (
      "PUT", "/api/moments/81J8Z0000000000000000000AB", 400, "bad_moment_id",
      "A moment's id is a ULID: 26 digits and capitals, without I, L, O and U."
    ),
    (
      "PUT", "/api/moments/01J8Z0000000000000000000AB/media/a%2Fb?role=copy", 400, "bad_media_id",
      "A media id is 1 to 64 letters, digits, or any of - . _ ~"
    ),
    (
      "GET", "/api/%zz", 400, "bad_request",
      "The request target is not a path in valid percent-encoding; begin it with a slash."
    ),
    (
      "GET", "http://example.com/api/health", 421, "foreign_host",
      "This engine answers to localhost and to addresses only; use one of them."
    ),
  ])
  func `a request that has no place is refused`(
    _ method: String, _ target: String, _ status: Int, _ code: String, _ message: String
  ) {
    var talk = Talk()
    let answer = talk.send(method, target)
    #expect(answer?.status == status)
    #expect(answer?.text == #"{"error":{"code":"\#(code)","message":"\#(message)"}}"#)
    #expect(talk.ledger.requests.map(\.status) == [status])
  }

  @Test func `a refusal of the method names those that are taken`() {
    var talk = Talk()
    #expect(talk.send("POST", "/api/health")?.fields.first("Allow") == "GET, HEAD")
    #expect(talk.send("HEAD", "/api/health")?.status == 200)
  }

  @Test(arguments: [
    ("localhost", true), ("LOCALHOST:8080", true), ("engine.localhost:1", true),
    ("127.0.0.1:8080", true), ("10.0.0.1", true), ("[::1]:8080", true), ("[::ffff:1.2.3.4]", true),
    ("example.com", false), ("127.0.0.1.example.com", false), ("localhost.example.com", false),
    ("notlocalhost", false), ("256.0.0.1", false), ("127.1", false), ("[::1", false),
    ("[::1]x", false), ("localhost:x", false), ("", false),
  ])
  func `only local names and addresses are answered to`(_ host: String, _ isTaken: Bool) {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "GET", target: "/api/health", fields: [HeaderField("Host", host)])
    _ = engine.requestHead(head, on: id, at: .zero)
    let status = engine.requestEnded(on: id, at: .zero)?.reply?.answer.status
    #expect(status == (isTaken ? 200 : 421))
  }

  @Test func `a small refused body is read over and the connection stays`() {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    for _ in 0..<2 {
      let head = RequestHead(method: "POST", target: "/nothing", framing: .length(1_650))
      #expect(engine.requestHead(head, on: id, at: .zero) == .readOn)
      #expect(engine.bodyBytes([UInt8].copy[...], on: id, at: .zero) == .readOn)
      let reply = engine.requestEnded(on: id, at: .zero)?.reply
      #expect(reply?.answer.status == 404)
      #expect(reply?.closes == false)
      engine.answerSent(on: id, at: .zero)
    }
    #expect(engine.ledger.requests.map(\.end) == [.answered, .answered])
    #expect(engine.ledger.requests.map(\.bodyBytes) == [1_650, 1_650])
  }

  @Test func `what comes behind an early answer is counted and answered no more`() {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let head = RequestHead(method: "POST", target: "/nothing", framing: .length(1_000_001))
    guard case .answer(let reply) = engine.requestHead(head, on: id, at: .zero) else {
      Issue.record("no early answer")
      return
    }
    #expect(reply.closes)
    #expect(engine.bodyBytes([1, 2], on: id, at: .zero) == .readOn)
    engine.answerSent(on: id, at: .zero)
    #expect(engine.bodyBytes([3], on: id, at: .zero) == .readOn)
    #expect(engine.requestEnded(on: id, at: .zero) == nil)
    engine.connectionEnded(id, how: .closed, at: .zero)
    #expect(engine.ledger.requests.map(\.bodyBytes) == [3])
    #expect(engine.ledger.requests.map(\.status) == [404])
  }

  @Test func `bytes that are no request are answered with their fault`() {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let reply = engine.requestFaulted(.bareLineEnd, on: id, at: .zero)
    #expect(reply?.answer.status == 400)
    #expect(reply?.closes == true)
    #expect(engine.ledger.requests.isEmpty)
    #expect(engine.ledger.connections.first?.fault == RequestFault.bareLineEnd.description)

    let second = engine.connectionOpened(at: .zero)
    let head = RequestHead(method: "PUT", target: "/api/moments/\(Talk.moment)", framing: .chunked)
    _ = engine.requestHead(head, on: second, at: .zero)
    #expect(engine.requestFaulted(.timedOut, on: second, at: .zero)?.answer.status == 408)
    engine.answerSent(on: second, at: .zero)
    #expect(engine.ledger.requests.map(\.status) == [408])
  }

  @Test func `a body that is too large has one word, whoever finds it`() {
    var engine = Engine { StandInDigest() }
    let id = engine.connectionOpened(at: .zero)
    let reply = engine.requestFaulted(.bodyTooLarge, on: id, at: .zero)
    #expect(reply?.answer.status == 413)
    #expect(
      String(decoding: reply?.answer.body ?? [], as: UTF8.self)
        == #"{"error":{"code":"body_too_large","message":"The body is too large."}}"#)
  }

  @Test func `a full ledger takes no more requests`() {
    var limits = EngineLimits()
    limits.requests = 1
    var talk = Talk(limits: limits)
    #expect(talk.send("GET", "/api/health")?.status == 200)
    #expect(talk.send("GET", "/api/health")?.status == 503)
    #expect(talk.ledger.requests.count == 1)
  }
}
