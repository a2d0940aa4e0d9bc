import Captures
import LinkModel
import Quantities
import Reports
import ScratchEngine
import ScratchHTTP
import Testing

@testable import Bench

/// Which requests of a client that tells nothing are which files, and what has landed.
struct ForeignAccountTests {
  private typealias Key = ClientDiary.StepKey

  private static let one = Key(capture: "photo-1", step: .original)
  private static let oneCopy = Key(capture: "photo-1", step: .copy)
  private static let two = Key(capture: "photo-2", step: .original)

  /// Two photos, and their copies of the same size.
  private static let contents: [String: [UInt8]] = [
    "photo-1.jpg": bytes(10_000, 1), "photo-1-copy.jpg": bytes(3_000, 2),
    "photo-2.jpg": bytes(20_000, 3), "photo-2-copy.jpg": bytes(3_000, 4),
  ]

  private static func bytes(_ count: Int, _ value: UInt8) -> [UInt8] {
    [UInt8](repeating: value, count: count)
  }

  private static func content(_ name: String) -> [UInt8] { contents[name] ?? [] }

  private static func file(_ name: String) -> CaptureFile {
    let bytes = content(name)
    return CaptureFile(file: name, bytes: bytes.count, sha256: sha256(of: bytes))
  }

  private static let captures = CaptureSet(
    seed: 7,
    captures: ["photo-1", "photo-2"].map {
      CaptureTruth(name: $0, original: file("\($0).jpg"), copy: file("\($0)-copy.jpg"))
    })

  private func account(
    _ talk: FileTalk, lives: [ProcessTally.Life] = [.init(from: .zero)], end: Double = 100
  ) -> ForeignAccount {
    ForeignAccount(
      talk.engine.ledger, captures: Self.captures, lives: lives,
      link: LinkConditions(
        up: DirectionConditions(rate: .constant(.unlimited), latency: .milliseconds(100)),
        down: DirectionConditions(
          rate: .constant(.limited(DataRate(bytesPerSecond: 1_000))), latency: .milliseconds(100))),
      until: Instant(seconds: end))
  }

  @Test func `a whole body is the file that it is, under any name and by any method`() {
    var talk = FileTalk()
    talk.send("PUT", "/files/a", Self.content("photo-1.jpg"))
    talk.send("POST", "/files/b", Self.content("photo-2.jpg"), declares: false)
    talk.send(
      "PUT", "/api/moments/01J8Z0000000000000000000AB/media/m?role=copy",
      Self.content("photo-1-copy.jpg"))
    talk.send("PUT", "/files/photo-1.jpg", Self.bytes(10_000, 9))
    talk.send("GET", "/api/health", [])
    let account = account(talk)
    #expect(account.files == [[Self.one], [Self.two], [Self.oneCopy], [], []])
    #expect(account.unassigned == 1)
  }

  @Test func `a body that was cut is known by its name, or by the size that it declares`() {
    var talk = FileTalk()
    talk.send("PUT", "/files/a", Self.content("photo-1.jpg"), cut: 4_000)
    talk.send("PUT", "/files/a", Self.content("photo-1.jpg"))
    talk.send(
      "PUT", "/files/in/photo-2.jpg", Self.content("photo-2.jpg"), declares: false, cut: 100)
    talk.send("POST", "/files/b", Self.content("photo-2.jpg"), cut: 100)
    // A form around it.
    talk.send("POST", "/files/b", Self.bytes(20_345, 1), cut: 100)
    // Two copies have that size, and nobody says of which one this is.
    talk.send("POST", "/files/b", Self.content("photo-1-copy.jpg"), cut: 100)
    talk.send("POST", "/files/b", Self.content("photo-1.jpg"), declares: false, cut: 100)
    let account = account(talk)
    #expect(
      account.files == [
        [Self.one], [Self.one], [Self.two], [Self.two], [Self.two], [], [],
      ])
    #expect(account.unassigned == 2)
    let records = account.records(of: Self.captures, talk.engine.ledger) { $0 == .original }
    #expect(records.map(\.attempts) == [2, 3])
    #expect(records.map(\.wireBytes) == [14_000, 300])
    #expect(records.map(\.landed) == [true, false])
    #expect(records.map(\.sha256Matches) == [true, nil])
  }

  @Test func `a form brings each of its files`() {
    var talk = FileTalk()
    talk.send(
      "POST", "/files/in",
      form(
        ["hello", "photo-1.jpg", "photo-1-copy.jpg"].map { name in
          Self.contents[name] ?? Array(name.utf8)
        }), type: "multipart/form-data; boundary=b")
    let account = account(talk)
    #expect(account.files == [[Self.oneCopy, Self.one]])
    let records = account.records(of: Self.captures, talk.engine.ledger) { _ in true }
    #expect(records.map(\.attempts) == [1, 1, 0, 0])
    #expect(records.map(\.wireBytes) == [3_000, 10_000, 0, 0])
    #expect(records.map(\.landed) == [true, true, false, false])
  }

  private func form(_ parts: [[UInt8]]) -> [UInt8] {
    parts.flatMap { part in
      Array("--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n".utf8) + part
        + Array("\r\n".utf8)
    } + Array("--b--\r\n".utf8)
  }

  @Test func `it has landed when the answer had crossed, to a client that was there`() {
    var talk = FileTalk()
    talk.now = Instant(seconds: 5)
    talk.send("PUT", "/files/a", Self.content("photo-1.jpg"), answerBytes: 400)
    // 400 bytes at 1,000 a second, and the latency.
    #expect(account(talk).landedAt == [Self.one: Instant(seconds: 5.5)])
    func lands(_ from: Double, _ to: Double) -> Bool {
      let life = ProcessTally.Life(from: Instant(seconds: from), to: Instant(seconds: to))
      return !account(talk, lives: [life]).landedAt.isEmpty
    }
    #expect(lands(0, 5.5))
    #expect(!lands(0, 5.4))
    #expect(!lands(5.1, 9))
    #expect(account(talk, end: 5.4).landedAt.isEmpty)
  }

  @Test func `what a client no longer waited for has not landed, though it is stored`() {
    func lands(closing seconds: Double) -> Bool {
      var talk = FileTalk()
      talk.send("PUT", "/files/a", Self.content("photo-1.jpg"), answerBytes: 400, closes: seconds)
      return !account(talk).landedAt.isEmpty
    }
    // The answer is there at 0.5 s, and an end that follows it comes to the engine at 0.6 s.
    #expect(!lands(closing: 0))
    #expect(!lands(closing: 0.58))
    #expect(lands(closing: 0.6))
  }

  @Test func `what was refused, or is another's answer, has not landed`() {
    var talk = FileTalk(
      script: EngineScript(
        rules: [
          ScriptRule(
            when: RequestPattern(path: "/files/*"), then: .init(.answer(ScriptedAnswer(200))))
        ]))
    talk.send("PUT", "/files/a", Self.content("photo-1.jpg"))
    let account = account(talk)
    #expect(account.files == [[Self.one]])
    #expect(account.landedAt.isEmpty)
  }

  @Test func `a body that came where nobody takes it is counted as unassigned`() {
    var talk = FileTalk()
    talk.send("PUT", "/nowhere", [1])
    talk.send("PUT", "/api/live", [1])
    talk.send("PUT", "/files/a", [1], host: "example.org")
    talk.send("GET", "/nowhere", [])
    #expect(account(talk).unassigned == 3)
  }
}

/// A client's side of an engine without a wire.
private struct FileTalk {
  var engine: Engine
  var now = Instant.zero

  init(script: EngineScript = EngineScript()) {
    engine = Engine(script: script, photos: nil, random: SeededRandom(seed: 0)) { Digest() }
  }

  /// With `cut` the connection is reset behind so many bytes of the body; else its end comes so many
  /// seconds later.
  mutating func send(
    _ method: String, _ target: String, _ body: [UInt8], type: String = "image/jpeg",
    declares: Bool = true, cut: Int? = nil, answerBytes: Int = 0, closes seconds: Double = 9,
    host: String = "127.0.0.1:80"
  ) {
    let id = engine.connectionOpened(at: now)
    let head = RequestHead(
      method: method, target: target,
      fields: [HeaderField("Host", host), HeaderField("Content-Type", type)],
      framing: body.isEmpty ? .none : declares ? .length(body.count) : .chunked,
      expectsContinue: false)
    if case .answer = engine.requestHead(head, on: id, at: now) { return end(id, .closed) }
    let sent = body.prefix(cut ?? body.count)
    if !sent.isEmpty { _ = engine.bodyBytes(sent, on: id, at: now) }
    if cut != nil { return end(id, .reset) }
    _ = engine.requestEnded(on: id, at: now)
    engine.wireSent(answerBytes, on: id)
    engine.answerSent(on: id, at: now)
    end(id, .closed, after: .seconds(exactly: seconds))
  }

  private mutating func end(
    _ id: ConnectionID, _ how: ConnectionEnd, after time: Duration = .zero
  ) {
    engine.connectionEnded(id, how: how, at: now + time)
  }

  private final class Digest: BodyDigest {
    private let digest = SHA256Digest()
    func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }
    func finish() -> String { digest.finish() }
  }
}
