import Glibc
import Testing
import Uploads

@testable import UploadAdapters

/// What is counted while a server does not read, and what a cut does with it.
@Suite(.timeLimit(.minutes(1)))
struct CurlCutTests {
  /// More than the kernel holds of a full connection with SO_SNDBUF 16 KB.
  ///
  /// That is 4 to 34 KB in the send buffer and the server's small receive buffer. Without the small
  /// send buffer it is megabytes.
  static let heldMax = 200_000

  /// Uploads 1 MB to a server that reads nothing before the cut; returns what the client counted
  /// and what the server found afterwards.
  func cut(
    _ way: UploadPolicy.Cut, sendBuffer: Int = 16_000
  ) async throws -> (counted: Int, found: [UInt8], error: Int32, events: [ExchangeEvent]) {
    let scratch = try Scratch()
    try PosixFileSystem().create(scratch.file("photo"), pattern(1_000_000))
    let (found, goOn) = (Left<(bytes: [UInt8], error: Int32)>(), Left<Void>())
    let server = TestServer(receiveBuffer: 4_096) { peer, number in
      if number > 1 { return }
      _ = peer.head()
      goOn.waitOnThread()
      found.leave(peer.body())
    }
    let transport = CurlTransport(engine: server.url)
    var request = OutgoingRequest.put("/", file: scratch.file("photo"), 1_000_000)
    request.sendBuffer = sendBuffer
    let exchange = transport.begin(request)
    let recorder = Recorder(exchange)
    let counted = try await recorder.quietCount()
    exchange.cut(way)
    exchange.cut(way)
    let events = await recorder.all()
    goOn.leave(())
    let result = try #require(try await found.take())
    return (counted, result.bytes, result.error, events)
  }

  @Test func `a plain close delivers exactly what was counted`() async throws {
    let (counted, found, error, events) = try await cut(.close)
    #expect(found == Array(pattern(1_000_000)[..<counted]))
    #expect(error == 0)
    #expect(counted > 4_000)
    #expect(counted < Self.heldMax)
    #expect(events.last == .failed(.cut))
    #expect(events.count { $0 == .failed(.cut) } == 1)
    print("counted behind a server that does not read: \(counted) bytes")
  }

  @Test func `a reset discards what the kernel still holds`() async throws {
    let (counted, found, error, events) = try await cut(.reset)
    #expect(error == ECONNRESET)
    #expect(found.count < counted)
    #expect(events.last == .failed(.cut))
    print("of \(counted) bytes counted, \(found.count) came through a reset")
  }

  @Test func `the send buffer is as large as the request says`() async throws {
    let small = try await cut(.reset, sendBuffer: 16_000).counted
    let large = try await cut(.reset, sendBuffer: 200_000).counted
    #expect(large > small + 150_000)
    print("counted with SO_SNDBUF 16 KB: \(small), 200 KB: \(large)")
  }

  @Test(arguments: UploadPolicy.Cut.allCases)
  func `a cut while the answer is awaited ends the connection in its way`(
    way: UploadPolicy.Cut
  ) async throws {
    let ended = Left<Int32>()
    let server = TestServer { peer, number in
      if number == 1 {
        _ = peer.request()
        ended.leave(peer.body().error)
      } else {
        _ = peer.request()
        peer.answer("\(number)")
      }
    }
    let transport = CurlTransport(engine: server.url)
    let exchange = transport.begin(.post("/", [1, 2, 3]))
    let recorder = Recorder(exchange)
    try await recorder.wait { $0.sent.last == 3 }
    try await pause(.milliseconds(50))
    exchange.cut(way)
    #expect(await recorder.all() == [.began(attempt: 1), .sent(bytes: 3), .failed(.cut)])
    #expect(try await ended.take() == (way == .reset ? ECONNRESET : 0))
    // The next request goes over another connection, and its cut does nothing after its end.
    let next = transport.begin(.get("/"))
    #expect(await next.all().answer?.body == Array("2".utf8))
    next.cut(way)
    #expect(await transport.begin(.get("/")).all().answer?.body == Array("3".utf8))
  }

  @Test func `a cut right after the begin is a cut or comes before the connection`() async {
    let server = TestServer { peer, _ in peer.waitForEnd() }
    let transport = CurlTransport(engine: server.url)
    for _ in 0..<50 {
      let exchange = transport.begin(.get("/"))
      exchange.cut(.reset)
      #expect(await exchange.all().last == .failed(.cut))
    }
  }
}
