import Captures
import ScratchEngine
import ScratchHTTP
import Testing

/// The engine and a place that keeps what it stores.
struct StoreKeeperTests {
  private final class Shelf: StoreKeeper {
    var kept: [KeptRequest] = []
    var isFull = false

    func keep(_ request: KeptRequest) throws(StoreKeeperFailure) {
      if isFull { throw StoreKeeperFailure(cause: "No space left on device") }
      kept.append(request)
    }
  }

  private let shelf = Shelf()

  private func filled() -> Talk {
    var talk = Talk()
    talk.engine.keeper = shelf
    talk.putRecord()
    talk.putMedia("c1", "copy", [1, 2, 3])
    talk.postTurn()
    return talk
  }

  @Test func `what stores something is kept in its order, and nothing else is`() {
    var talk = filled()
    talk.putMedia("c1", "copy", [1, 2, 3])
    talk.putMedia("c1", "copy", [4])
    talk.send("GET", "/api/moments")
    talk.send("PUT", "/nowhere", [1])
    let path = "/api/moments/\(Talk.moment)"
    #expect(shelf.kept.map(\.target) == [path, "\(path)/media/c1?role=copy", "\(path)/turns"])
    #expect(shelf.kept[1].body == [1, 2, 3])
    #expect(shelf.kept[1].type == "image/jpeg")
    #expect(shelf.kept[1].sha256 == StandInDigest.of([1, 2, 3]))
  }

  @Test func `an engine that is given what was kept answers as the first one would`() {
    var first = filled()
    var second = Talk()
    for request in shelf.kept {
      let isRestored = second.engine.restore(request)
      #expect(isRestored)
    }
    #expect(second.send("GET", "/api/moments")?.text == first.send("GET", "/api/moments")?.text)
    #expect(second.putMedia("c1", "copy", [1, 2, 3])?.text.contains(#""replayed":true"#) == true)
    #expect(second.putMedia("c1", "copy", [4])?.status == 422)
    #expect(second.postTurn()?.text.contains(#""replayed":true"#) == true)
    #expect(second.ledger.momentsStored == 0)
  }

  @Test func `what cannot be kept is refused with 507, and stored by its repeat`() {
    var talk = filled()
    shelf.isFull = true
    let refused = talk.putMedia("o1", "original", [7])
    #expect(refused?.status == 507)
    #expect(refused?.text.contains("No space left on device. Nothing is stored") == true)
    #expect(talk.send("GET", "/api/moments/\(Talk.moment)/media/o1")?.status == 404)
    #expect(talk.ledger.requests.filter { $0.step == .original }.map(\.stored) == [false])
    shelf.isFull = false
    #expect(talk.putMedia("o1", "original", [7])?.status == 201)
    #expect(shelf.kept.count == 4)
  }

  @Test func `what makes no sense by itself is not restored`() {
    var talk = filled()
    _ = talk.send("GET", "/api/health")
    for request in [
      shelf.kept[1],
      KeptRequest(method: "GET", target: "/api/health", type: nil, body: [], sha256: ""),
      KeptRequest(method: "PUT", target: "/nowhere", type: nil, body: [1], sha256: ""),
    ] {
      var second = Talk()
      let isRestored = second.engine.restore(request)
      #expect(!isRestored)
    }
  }
}
