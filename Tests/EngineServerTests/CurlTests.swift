import Captures
import Quantities
import ScratchEngine
import TestSupport
import Testing

/// What people send by hand, with the program that they send it with.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Curl.isThere, "there is no curl here"))
struct CurlTests {
  private static let bytes = seededBytes(300_000, seed: 7)
  private static let expects = ["-H", "Expect: 100-continue"]

  /// A way to send a file.
  enum Way: CaseIterable {
    case put, post, form, chunkedPut, chunkedPost

    var words: [String] {
      switch self {
      case .put: ["-T", "photo.jpg"]
      case .post: ["--data-binary", "@photo.jpg", "-H", "Content-Type: image/jpeg"]
      case .form: ["-F", "file=@photo.jpg"]
      case .chunkedPut: ["-T", "-"]
      case .chunkedPost:
        [
          "--data-binary", "@photo.jpg", "-H", "Content-Type: image/jpeg", "-H",
          "Transfer-Encoding: chunked",
        ]
      }
    }
  }

  private func with(
    _ script: EngineScript = EngineScript(), over wire: Wire, factor: Double = 1,
    sending bytes: [UInt8] = Self.bytes,
    _ body: (ServerFixture, Curl) throws -> Void
  ) throws {
    let server = try ServerFixture(script, over: wire, factor: factor)
    defer { server.stop() }
    let curl = try Curl(to: server, sending: bytes)
    defer { curl.remove() }
    try body(server, curl)
  }

  @Test(arguments: Way.allCases, Wire.allCases)
  func `it lands in every way, with and without waiting for 100 Continue`(
    way: Way, wire: Wire
  ) throws {
    try with(over: wire) { server, curl in
      for (path, expect) in [
        ("/files/waiting", Self.expects), ("/files/at-once", ["-H", "Expect:"]),
      ] {
        let ending = try curl.run(way.words + expect, to: path)
        #expect(ending.code == 0 && ending.status == 201)
        #expect(ending.body.contains(sha256(of: Self.bytes)))
      }
      let ledger = try server.ledger()
      #expect(ledger.requests.map(\.stored) == [true, true])
      #expect(ledger.requests.map(\.sha256) == [sha256(of: Self.bytes), sha256(of: Self.bytes)])
      #expect(ledger.requests.map(\.expectsContinue) == [true, false])
      #expect(ledger.requests.map(\.continuedAt) == [ledger.requests[0].startedAt, nil])
    }
  }

  private func script(_ deed: ScriptedDeed) -> EngineScript {
    EngineScript(rules: [ScriptRule(when: RequestPattern(expectsContinue: true), then: deed)])
  }

  /// Its own second is made shorter here.
  @Test(arguments: Wire.allCases)
  func `never told to continue, it sends all the same after its own time`(wire: Wire) throws {
    try with(script(.init(at: .head, .holdContinue(nil))), over: wire) { server, curl in
      let ending = try curl.run(
        ["-T", "photo.jpg", "--expect100-timeout", "0.2"] + Self.expects, to: "/files/a")
      #expect(ending.status == 201 && ending.seconds > 0.2)
      let request = try #require(try server.ledger().requests.first)
      #expect(request.stored && request.continuedAt == nil && request.expectsContinue)
    }
  }

  @Test(arguments: Wire.allCases)
  func `told late, it waits until then`(wire: Wire) throws {
    try with(
      script(.init(at: .head, .holdContinue(.seconds(5)))), over: wire, factor: 25
    ) { server, curl in
      let ending = try curl.run(
        ["-T", "photo.jpg", "--expect100-timeout", "15"] + Self.expects, to: "/files/a")
      #expect(ending.status == 201 && (0.2..<15).contains(ending.seconds))
      let request = try #require(try server.ledger().requests.first)
      let continuedAt = try #require(request.continuedAt)
      #expect(continuedAt - request.startedAt >= .seconds(5))
      #expect(request.trail.samples.first.map { $0.at > continuedAt } == true)
    }
  }

  /// Of itself it waits when a body has more than 1 MB; told to by a field, it would do so again.
  @Test(arguments: Wire.allCases)
  func `refused with 417, it sends once more without waiting, and lands`(wire: Wire) throws {
    let bytes = seededBytes(1_200_000, seed: 7)
    let script = script(.init(at: .head, .answer(.init(417))))
    try with(script, over: wire, sending: bytes) { server, curl in
      let ending = try curl.run(["-T", "photo.jpg"], to: "/files/a")
      #expect(ending.code == 0 && ending.status == 201)
      let ledger = try server.ledger()
      #expect(ledger.requests.map(\.status) == [417, 201])
      #expect(ledger.requests.map(\.bodyBytes) == [0, bytes.count])
      #expect(ledger.requests.map(\.expectsContinue) == [true, false])
      #expect(ledger.connections.count == 1)
    }
  }

  @Test(arguments: Wire.allCases)
  func `refused with 413 in place of 100, it sends no byte of its body`(wire: Wire) throws {
    try with(script(.init(at: .head, .answer(.init(413)))), over: wire) { server, curl in
      let ending = try curl.run(["-T", "photo.jpg"] + Self.expects, to: "/files/a")
      #expect(ending.status == 413 && ending.body.contains("scripted"))
      let ledger = try server.ledger { $0.connections.first?.end != nil }
      let request = try #require(ledger.requests.first)
      #expect(ledger.requests.count == 1 && request.bodyBytes == 0)
      #expect(request.phase == .answer && request.endedBy == .engine && request.rule == 0)
      #expect(ledger.received < 1_000)
    }
  }
}
