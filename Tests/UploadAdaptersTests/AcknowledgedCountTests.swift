import Testing
import Uploads

@testable import UploadAdapters

/// Counting what the peer has acknowledged, over sockets: the peer takes what fits its small buffer.
struct AcknowledgedCountTests {
  private static let bytes = 1_000_000

  private func request(_ counting: UploadPolicy.Counting) -> OutgoingRequest {
    OutgoingRequest(
      method: "POST", path: "/", body: .bytes(.init(repeating: 7, count: Self.bytes), type: "a/b"),
      answerLimit: 100, sendBuffer: 4_000_000, counting: counting)
  }

  /// The first request leaves a kept connection, over which the second goes: nobody opens it.
  @Test(arguments: [UploadPolicy.Counting.handedOver, .acknowledged])
  func `what a large send buffer holds is handed over and not acknowledged`(
    counting: UploadPolicy.Counting
  ) async throws {
    let goOn = Left<Void>()
    let server = TestServer(receiveBuffer: 16_000) { peer, _ in
      _ = peer.request()
      peer.answer()
      goOn.waitOnThread()
      _ = peer.request()
      peer.answer()
    }
    let transport = CurlTransport(engine: server.url)
    var first = OutgoingRequest.get("/")
    first.sendBuffer = 4_000_000
    _ = await transport.begin(first).all()
    let exchange = transport.begin(request(counting))
    let recorder = Recorder(exchange)
    try await recorder.wait { !$0.isEmpty }
    for _ in 0..<10 {
      exchange.count()
      try await pause(.milliseconds(30))
    }
    let counted = recorder.soFar.sent.last ?? 0
    if counting == .handedOver {
      #expect(counted == Self.bytes)
    } else {
      #expect(counted < 200_000)
    }
    goOn.leave(())
    let events = await recorder.all()
    #expect(events.sent == events.sent.sorted() && events.sent.last == Self.bytes)
    #expect(events.answer?.status == 200)
  }

  @Test func `a send buffer that the system grants is no news, and one beyond all is`() async throws
  {
    let server = TestServer { peer, _ in
      while peer.request() != nil { peer.answer() }
    }
    let told = Left<Int>()
    let transport = CurlTransport(engine: server.url, refusedBuffer: { told.leave($0) })
    var request = OutgoingRequest.get("/")
    request.sendBuffer = 32_000
    _ = await transport.begin(request).all()
    transport.shutdown()
    let other = CurlTransport(engine: server.url, refusedBuffer: { told.leave($0) })
    // More than half of what a number holds: no system gives it.
    request.sendBuffer = .max
    _ = await other.begin(request).all()
    let granted = try #require(try await told.take())
    #expect(granted > 100_000 && granted < Int(Int32.max))
  }
}
