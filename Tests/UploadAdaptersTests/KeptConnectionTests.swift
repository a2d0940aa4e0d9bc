import Glibc
import Quantities
import Synchronization
import Testing
import Uploads

@testable import UploadAdapters

@Suite(.timeLimit(.minutes(1)))
struct KeptConnectionTests {
  @Test func `a body in memory is posted on a kept connection`() async throws {
    let server = TestServer { peer, number in
      while let request = peer.request() {
        peer.answer("\(number) \(String(decoding: request.body, as: UTF8.self))")
      }
    }
    let transport = CurlTransport(engine: server.url)
    for word in ["one", "", "three"] {
      let events = await transport.begin(.post("/turns", Array(word.utf8))).all()
      #expect(events.answer?.body == Array("1 \(word)".utf8))
    }
  }

  @Test func `a stale connection shows as a second attempt that counts from zero`() async throws {
    let scratch = try Scratch()
    let bytes = pattern(100_000)
    try PosixFileSystem().create(scratch.file("photo"), bytes)
    let arrived = Left<[UInt8]>()
    let server = TestServer { peer, number in
      _ = peer.request().map { number == 1 ? () : arrived.leave($0.body) }
      peer.answer()
      // The first connection takes a second request whole, and ends without a word.
      if number == 1 { _ = peer.request() }
    }
    let transport = CurlTransport(engine: server.url)
    _ = await transport.begin(.get("/")).all()
    let events = await transport.begin(.put("/", file: scratch.file("photo"), 100_000)).all()

    let second = try #require(events.firstIndex(of: .began(attempt: 2)))
    #expect(events.first == .began(attempt: 1))
    #expect(Array(events[..<second]).sent.last == 100_000)
    let repeated = Array(events[second...]).sent
    #expect(try #require(repeated.first) <= 16_384)
    #expect(repeated.last == 100_000)
    #expect(events.answer?.status == 200)
    #expect(try await arrived.take() == bytes)
  }

  /// What a server does that closes a connection as a request comes on it: an end, while libcurl
  /// looks for nothing but room for the body, and a reset for what still comes; or the reset alone.
  @Test(arguments: [true, false], [true, false])
  func `a kept connection that is closed in mid-body is repeated once, on a fresh one`(
    endsFirst: Bool, isLarge: Bool
  ) async throws {
    let scratch = try Scratch()
    let bytes = pattern(isLarge ? 1_000_000 : 300)
    try PosixFileSystem().create(scratch.file("photo"), bytes)
    let arrived = Left<[UInt8]>()
    let server = TestServer(receiveBuffer: 4_096) { peer, number in
      _ = peer.request().map { number == 1 ? () : arrived.leave($0.body) }
      peer.answer()
      guard number == 1 else { return }
      // Something of the second request stays unread, so that the close is a reset.
      _ = peer.body(20)
      if endsFirst {
        shutdown(peer.descriptor, Int32(SHUT_WR))
        usleep(50_000)
      }
    }
    let transport = CurlTransport(engine: server.url)
    _ = await transport.begin(.get("/")).all()
    let events = await transport.begin(.put("/", file: scratch.file("photo"), bytes.count)).all()
    #expect(events.answer?.status == 200, "\(events.last.map { "\($0)" } ?? "")")
    #expect(events.filter { if case .began = $0 { true } else { false } }.count == 2)
    #expect(try await arrived.take() == bytes)
    #expect(events.sent.last == bytes.count)
  }

  @Test func `a kept connection that its server has ended is not used again`() async throws {
    let (ended, second) = (Left<Void>(), Left<Int>())
    let server = TestServer { peer, number in
      _ = peer.request()
      peer.answer("\(number)")
      guard number == 1 else { return }
      shutdown(peer.descriptor, Int32(SHUT_WR))
      ended.leave(())
      second.leave(peer.body().bytes.count)
    }
    let transport = CurlTransport(engine: server.url)
    _ = await transport.begin(.get("/")).all()
    _ = try await ended.take()
    let events = await transport.begin(.post("/", Array("body".utf8))).all()
    #expect(events.answer?.body == Array("2".utf8))
    #expect(!events.contains(.began(attempt: 2)))
    #expect(try await second.take() == 0)
  }

  @Test func `a repeat leaves the other kept connections alone, which may be as stale`() async {
    let waiting = Mutex(0)
    let server = TestServer { peer, number in
      _ = peer.request()
      if number < 3 {
        // Both are open at once, so that both are kept.
        waiting.withLock { $0 += 1 }
        for _ in 0..<1_000 where waiting.withLock({ $0 < 2 }) { usleep(5_000) }
      }
      peer.answer("\(number)")
      if number < 3 { _ = peer.request() }
    }
    let transport = CurlTransport(engine: server.url)
    let both = [transport.begin(.get("/")), transport.begin(.get("/"))]
    for exchange in both { #expect(await exchange.all().answer != nil) }
    let events = await transport.begin(.post("/", Array("body".utf8))).all()
    #expect(events.answer?.body == Array("3".utf8))
    #expect(events.filter { if case .began = $0 { true } else { false } }.count == 2)
  }

  @Test func `a fresh connection that ends without an answer is broken, not repeated`() async {
    let server = TestServer { peer, _ in _ = peer.request() }
    let transport = CurlTransport(engine: server.url)
    let events = await transport.begin(.get("/")).all()
    #expect(events.first == .began(attempt: 1))
    #expect(!events.contains(.began(attempt: 2)))
    #expect(events.isBroken)
  }
}
