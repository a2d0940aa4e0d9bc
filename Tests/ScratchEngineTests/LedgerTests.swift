import Captures
import Quantities
import ScratchEngine
import ScratchHTTP
import Testing

struct LedgerTests {
  private func talkWithRecord() -> Talk {
    var talk = Talk()
    talk.putRecord()
    return talk
  }

  /// Where a PUT is cut, how many body bytes had come by then, and whether it was stored.
  struct Phase: CustomTestStringConvertible {
    var cut: Cut
    var bytes: Int
    var stored: Bool
    var testDescription: String { "\(cut)" }
  }

  @Test(arguments: [
    Phase(cut: .afterHead, bytes: 0, stored: false),
    Phase(cut: .inBody, bytes: 825, stored: false),
    Phase(cut: .beforeEnd, bytes: 1_650, stored: false),
    Phase(cut: .beforeAnswer, bytes: 1_650, stored: true),
  ])
  func `a file that is cut at any phase and repeated is stored once`(_ phase: Phase) throws {
    var talk = talkWithRecord()
    #expect(talk.putMedia("c1", "copy", .copy, cut: phase.cut) == nil)
    let second = talk.putMedia("c1", "copy", .copy)
    let answer = try #require(second)
    #expect(answer.status == (phase.stored ? 200 : 201))
    #expect(answer.text.contains(#""replayed":\#(phase.stored)"#))

    let file = try #require(talk.ledger.files.first)
    #expect(talk.ledger.files.count == 1)
    #expect(file.attempts == 2)
    #expect(file.wireBytes == phase.bytes + 1_650)
    #expect(file.storedBytes == 1_650)
    #expect(file.sha256 == StandInDigest.of(.copy))
    #expect(file.replays == (phase.stored ? 1 : 0))
    #expect(talk.ledger.duplicates == 0)
    #expect(talk.ledger.requests.map(\.end) == [.answered, .reset, .answered])
    #expect(
      talk.ledger.uses == [nil] + (phase.stored ? [.useful, .repeated] : [.abandoned, .useful]))
    let split = talk.ledger.split
    #expect(split.useful == 1_650)
    #expect(split.repeated == (phase.stored ? 1_650 : 0))
    #expect(split.abandoned == (phase.stored ? 0 : phase.bytes))
  }

  @Test func `an attempt that is cut after the file was stored is repeated`() {
    var talk = talkWithRecord()
    talk.putMedia("c1", "copy", .copy, cut: .inBody)
    talk.putMedia("c1", "copy", .copy, cut: .beforeAnswer)
    talk.putMedia("c1", "copy", .copy, cut: .inBody)
    talk.putMedia("c1", "copy", .copy)
    #expect(talk.ledger.uses == [nil, .abandoned, .useful, .repeated, .repeated])
    #expect(talk.ledger.wireBytes(.copy) == 825 + 1_650 + 825 + 1_650)
  }

  @Test func `other content is abandoned, and a scripted refusal of what is stored is repeated`() {
    var talk = Talk(
      EngineScript(rules: [
        ScriptRule(
          when: RequestPattern(step: .copy, attempt: 1), then: .init(.answer(.init(500)))),
        ScriptRule(
          when: RequestPattern(step: .copy, attempt: 3), then: .init(.answer(.init(500)))),
      ]))
    talk.putRecord()
    talk.putMedia("c1", "copy", .copy)
    talk.putMedia("c1", "copy", .copy)
    talk.putMedia("c1", "copy", .copy)
    talk.putMedia("c1", "copy", .original)
    #expect(talk.ledger.uses == [nil, .abandoned, .useful, .repeated, .abandoned])
  }

  @Test func `content that is stored under a second id is repeated and a duplicate`() {
    var talk = talkWithRecord()
    talk.putMedia("c1", "copy", .copy)
    talk.putMedia("c2", "copy", .copy)
    #expect(talk.ledger.duplicates == 1)
    #expect(talk.ledger.uses == [nil, .useful, .repeated])

    // A client that mints new ids after a failure makes the whole moment twice.
    let second = "01J8Z0000000000000000000CD"
    talk.putRecord(#"{"request_id":"e2","kind":"photo"}"#, moment: second)
    talk.putMedia("c3", "copy", .copy, moment: second)
    #expect(talk.ledger.momentsStored == 2)
    #expect(talk.ledger.duplicates == 2)
    // The same bytes in another role are another file.
    talk.putMedia("o1", "original", .copy)
    #expect(talk.ledger.duplicates == 2)
  }

  @Test func `all bytes that came up split into four parts`() {
    var talk = talkWithRecord()
    let id = talk.engine.connectionOpened(at: .zero)
    talk.engine.wireReceived(9_000, on: id)
    talk.engine.wireSent(300, on: id)
    talk.putMedia("c1", "copy", .copy, cut: .inBody)
    talk.putMedia("c1", "copy", .copy)
    let split = talk.ledger.split
    #expect(split.useful == 1_650)
    #expect(split.abandoned == 825)
    #expect(split.overhead == 9_000 - 1_650 - 825)
    #expect(talk.ledger.received == 9_000)
    #expect(talk.ledger.sent == 300)
    #expect(talk.ledger.connections[id.number].received == 9_000)
    #expect(talk.ledger.connections[id.number].end == nil)
    #expect(talk.ledger.connections.map(\.end) == [.closed, nil, .reset, .closed])
  }

  @Test func `a request has its times`() throws {
    var talk = talkWithRecord()
    talk.now = Instant(seconds: 3)
    talk.putMedia("c1", "copy", .copy, takes: .seconds(10))
    let request = try #require(talk.ledger.requests.last)
    #expect(request.startedAt == Instant(seconds: 3))
    #expect(request.bodyEndedAt == Instant(seconds: 13))
    #expect(request.endedAt == Instant(seconds: 13))
    #expect(request.trail.samples.map(\.at.seconds) == [3, 8])
    #expect(request.trail.samples.map(\.bytes) == [825, 1_650])
    #expect(request.path == "/api/moments/\(Talk.moment)/media/c1")
    #expect(request.media == "c1")
    #expect(request.declaredBytes == 1_650)
    #expect(talk.ledger.files.first?.storedAt == Instant(seconds: 13))
  }

  @Test func `connections beyond the limit count in the totals only`() {
    var limits = EngineLimits()
    limits.connections = 1
    var talk = Talk(limits: limits)
    talk.putRecord()
    let id = talk.engine.connectionOpened(at: .zero)
    talk.engine.wireReceived(10, on: id)
    talk.engine.connectionEnded(id, how: .closed, at: .zero)
    #expect(talk.ledger.connections.count == 1)
    #expect(talk.ledger.unlistedConnections == 1)
    #expect(talk.ledger.received == 10)
  }
}
