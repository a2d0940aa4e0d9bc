import Captures
import Quantities
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

  @Test func `a record that nobody has dated keeps its date`() throws {
    let record = #"{"request_id":"e1","kind":"photo"}"#
    func engine(_ epoch: Int64) -> Talk {
      var talk = Talk()
      talk.engine = Engine(clock: WallClock(epoch: epoch)) { StandInDigest() }
      return talk
    }
    var first = engine(1_700_000_000_000)
    first.engine.keeper = shelf
    first.now = Instant(seconds: 5)
    first.putRecord(record)
    var second = engine(1_800_000_000_000)
    let isRestored = second.engine.restore(try #require(shelf.kept.first))
    #expect(isRestored)
    let path = "/api/moments/\(Talk.moment)"
    let text = second.send("GET", path)?.text
    #expect(text == first.send("GET", path)?.text)
    #expect(text?.contains(#""captured_at":"2023-11-14T22:13:25"#) == true)
  }

  @Test func `open files are kept one by one, as they are read back`() {
    var limits = EngineLimits()
    limits.fileKept = 3
    var first = Talk(limits: limits)
    first.engine.keeper = shelf
    first.send("PUT", "/files/a", [1, 2], fields: [HeaderField("Content-Type", "x/y")])
    first.send("PUT", "/files/large", [1, 2, 3, 4])
    let form = "--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b\r\n\r\nx\r\n--b--"
    for _ in 0..<2 {
      first.send(
        "POST", "/files/in", Array(form.utf8),
        fields: [HeaderField("Content-Type", "multipart/form-data; boundary=b")])
    }
    #expect(shelf.kept.map(\.body) == [[1, 2], nil, [0x78], [0x79]])
    var second = Talk(limits: limits)
    for request in shelf.kept {
      let isRestored = second.engine.restore(request)
      #expect(isRestored)
    }
    #expect(second.send("GET", "/files")?.text == first.send("GET", "/files")?.text)
    #expect(second.send("GET", "/files/a")?.fields.first("Content-Type") == "x/y")
    #expect(second.send("PUT", "/files/large", [1, 2, 3, 4])?.status == 200)
    #expect(second.send("PUT", "/files/large", [4, 3, 2, 1])?.status == 422)
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
      KeptRequest(
        method: "GET", target: "/api/health", type: nil, body: [], bytes: 0, sha256: "", storedAt: 0
      ),
      KeptRequest(
        method: "PUT", target: "/nowhere", type: nil, body: [1], bytes: 1, sha256: "", storedAt: 0),
    ] {
      var second = Talk()
      let isRestored = second.engine.restore(request)
      #expect(!isRestored)
    }
  }
}
