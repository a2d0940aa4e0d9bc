import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

/// A ledger that is written down as it grows, and does not grow.
struct LedgerForgetTests {
  private static let few: EngineLimits = {
    var limits = EngineLimits()
    (limits.requests, limits.connections) = (3, 3)
    return limits
  }()

  @Test func `what was written down makes room, so that an engine goes on for ever`() {
    var talk = Talk(limits: Self.few)
    for number in 1...20 {
      #expect(talk.send("PUT", "/files/a", [1])?.status == (number == 1 ? 201 : 200))
      #expect(talk.ledger.requests.last?.attempt == number)
      #expect(talk.ledger.over.count == 2)
      let connection = talk.ledger.connections.last?.number
      #expect(connection == number - 1)
      talk.engine.forgetOver()
      #expect(talk.ledger.requestsKept == 0)
    }
    #expect(talk.ledger.requests.count == 1 && talk.ledger.connections.count == 1)
    #expect(talk.ledger.unlistedConnections == 0)
  }

  @Test func `what is under way is not forgotten, and its place is its own`() {
    var talk = Talk(limits: Self.few)
    let id = talk.engine.connectionOpened(at: .zero)
    let head = RequestHead(
      method: "PUT", target: "/files/slow", fields: [HeaderField("Host", "localhost")],
      framing: .length(2))
    _ = talk.engine.requestHead(head, on: id, at: .zero)
    _ = talk.engine.bodyBytes([1], on: id, at: .zero)
    for _ in 0..<10 {
      #expect(talk.send("GET", "/api/health")?.status == 200)
      talk.engine.forgetOver()
    }
    #expect(talk.ledger.requestsKept == 1)
    _ = talk.engine.bodyBytes([2], on: id, at: .zero)
    #expect(talk.engine.requestEnded(on: id, at: .zero)?.reply?.answer.status == 201)
    talk.engine.answerSent(on: id, at: .zero)
    #expect(talk.ledger.over == [.request(0)])
    #expect(talk.ledger.requests[0].path == "/files/slow")
    #expect(talk.ledger.requests[0].bodyBytes == 2)
  }

  @Test func `of more files than are counted, those not sent for longest begin anew`() {
    var talk = Talk(limits: Self.few)
    func attempt(_ name: String) -> Int? {
      talk.send("PUT", "/files/\(name)", [1])
      defer { talk.engine.forgetOver() }
      return talk.ledger.requests.last?.attempt
    }
    #expect(["a", "b", "c", "a", "d", "a", "e"].map(attempt) == [1, 1, 1, 2, 1, 3, 1])
    #expect(["f", "g", "h"].map(attempt) == [1, 1, 1])
    #expect(["h", "b"].map(attempt) == [2, 1])
  }
}
