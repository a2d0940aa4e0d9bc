import Glibc
import Quantities
import Synchronization
import Testing
import Uploads

@testable import UploadAdapters

@Suite(.timeLimit(.minutes(1)))
struct CurlTransportTests {
  @Test func `a file arrives byte for byte and is counted to its end`() async throws {
    let scratch = try Scratch()
    let bytes = pattern(300_000)
    try PosixFileSystem().create(scratch.file("photo"), bytes)
    let arrived = Left<(head: String, body: [UInt8])>()
    let server = TestServer { peer, _ in
      if let request = peer.request() { arrived.leave(request) }
      peer.answer("stored", status: 201)
    }
    let transport = CurlTransport(engine: server.url)
    let events = await transport.begin(
      .put("/media?role=copy", file: scratch.file("photo"), 300_000)
    ).all()

    let request = try #require(try await arrived.take())
    #expect(request.body == bytes)
    #expect(request.head.hasPrefix("PUT /media?role=copy HTTP/1.1\r\n"))
    #expect(request.head.contains("\r\nContent-Length: 300000\r\n"))
    #expect(request.head.contains("\r\nContent-Type: image/jpeg\r\n"))
    #expect(request.head.contains("\r\nX-Mark: 7\r\n"))
    #expect(!request.head.contains("Expect"))
    #expect(!request.head.contains("Transfer-Encoding"))
    #expect(events.first == .began(attempt: 1))
    #expect(events.sent.last == 300_000)
    #expect(events.sent == events.sent.sorted())
    // One event for a turn of the loop: at least one for each fill of the 16 KB buffer.
    #expect(events.sent.count >= 300_000 / 16_384)
    #expect(events.answer?.status == 201)
    #expect(events.answer?.header("content-length") == "6")
    #expect(events.answer?.body == Array("stored".utf8))
    #expect(
      events.received.last == "HTTP/1.1 201 Fine\r\nContent-Length: 6\r\n\r\nstored".utf8.count)
  }

  @Test(arguments: ["GET", "HEAD", "DELETE", "POST"])
  func `a request without a body says so in the way of its method`(method: String) async throws {
    let arrived = Left<String>()
    let server = TestServer { peer, _ in
      arrived.leave(peer.head())
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let transport = CurlTransport(engine: server.url)
    let events = await transport.begin(
      OutgoingRequest(method: method, path: "/", answerLimit: 10, sendBuffer: 16_000)
    ).all()
    let head = try #require(try await arrived.take())
    #expect(head.hasPrefix("\(method) / HTTP/1.1\r\n"))
    #expect(head.contains("Content-Length: 0") == (method == "POST"))
    #expect(events.answer?.status == 200)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 banana\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Le",
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "\0\0\0\0", "",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 400_000),
  ])
  func `an answer that is none is broken`(bytes: String) async {
    let server = TestServer { peer, _ in
      _ = peer.head()
      peer.say(bytes)
    }
    let transport = CurlTransport(engine: server.url)
    let events = await transport.begin(.get("/")).all()
    #expect(events.isBroken, "\(events)")
  }

  @Test func `no answer of a hundred damaged ones does more than end its exchange`() async {
    let whole = Array(
      "HTTP/1.1 200 OK\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n".utf8)
    let server = TestServer { peer, number in
      var random = SeededRandom(seed: UInt64(number))
      var damaged = whole
      for _ in 0..<3 {
        let place = Int(random.next() % UInt64(damaged.count))
        switch random.next() % 3 {
        case 0: damaged[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: damaged.remove(at: place)
        default: damaged.insert(contentsOf: damaged[..<place], at: place)
        }
      }
      _ = peer.head()
      peer.say(damaged)
    }
    let transport = CurlTransport(engine: server.url)
    for _ in 0..<100 {
      let events = await transport.begin(.get("/")).all()
      #expect(events.answer != nil || events.isBroken, "\(events)")
      #expect(events.first == .began(attempt: 1))
    }
  }

  @Test func `many heads that never end are broken`() async throws {
    let server = TestServer { peer, _ in
      _ = peer.head()
      let interim = "HTTP/1.1 103 Early\r\nLink: \(String(repeating: "x", count: 900))\r\n\r\n"
      for _ in 0..<400 { peer.say(interim) }
      peer.waitForEnd()
    }
    let transport = CurlTransport(engine: server.url)
    let events = await transport.begin(.get("/")).all()
    #expect(events.isBroken)
    #expect(try #require(events.received.last) < AnswerCollector.headBytesMax + 100_000)
  }

  @Test func `interim answers are skipped and their fields forgotten`() async {
    let server = TestServer { peer, _ in
      _ = peer.head()
      peer.say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: a\r\n\r\n")
      peer.say("HTTP/1.1 404 No\r\nRetry-After:  5 \r\nContent-Length: 2\r\n\r\nno")
    }
    let transport = CurlTransport(engine: server.url)
    let answer = await transport.begin(.get("/")).all().answer
    #expect(answer?.status == 404)
    #expect(answer?.headers == [HTTPField("Retry-After", "5"), HTTPField("Content-Length", "2")])
    #expect(answer?.body == Array("no".utf8))
  }

  @Test(arguments: [(10, true), (9, false)])
  func `an answer is taken up to its limit`(limit: Int, isTaken: Bool) async {
    let server = TestServer { peer, _ in
      _ = peer.head()
      peer.answer("0123456789")
      peer.waitForEnd()
    }
    let transport = CurlTransport(engine: server.url)
    var request = OutgoingRequest.get("/")
    request.answerLimit = limit
    let events = await transport.begin(request).all()
    #expect((events.answer != nil) == isTaken)
    #expect((events.last == .failed(.answerTooLarge)) == !isTaken)
    transport.shutdown()
  }

  @Test func `an answer that comes while the body is still going out is kept`() async throws {
    let scratch = try Scratch()
    try PosixFileSystem().create(scratch.file("photo"), pattern(1_000_000))
    let server = TestServer { peer, _ in
      _ = peer.head()
      peer.answer("too large", status: 413)
      peer.waitForEnd()
    }
    let transport = CurlTransport(engine: server.url)
    let events = await transport.begin(.put("/", file: scratch.file("photo"), 1_000_000)).all()
    #expect(events.answer?.status == 413)
    transport.shutdown()
  }

  @Test func `a refused connection, and TLS with a server that has none, do not connect`() async {
    let refused = CurlTransport(engine: "http://127.0.0.1:\(TestServer.deadPort())")
    let events = await refused.begin(.get("/")).all()
    #expect(events.count == 1)
    #expect(events.isNotConnected)

    let server = TestServer { peer, _ in
      _ = peer.body(5)
      peer.answer()
    }
    let secure = CurlTransport(engine: "https://127.0.0.1:\(server.port)")
    #expect(await secure.begin(.get("/")).all().isNotConnected)
  }

  @Test(arguments: [
    ("/with space", "X", "1"), ("/", "X", "1\r\nY: 2"), ("/", "X\n", "1"),
  ])
  func `a request that cannot be sent fails as an event`(
    path: String, name: String, value: String
  ) async {
    let server = TestServer { peer, _ in peer.answer() }
    let transport = CurlTransport(engine: server.url)
    var request = OutgoingRequest.get(path)
    request.headers = [HTTPField(name, value)]
    #expect(await transport.begin(request).all().isNotConnected)
  }

  @Test func `a redirect is an answer like any other`() async {
    let server = TestServer { peer, _ in
      _ = peer.head()
      peer.say("HTTP/1.1 302 Found\r\nLocation: /portal\r\nContent-Length: 0\r\n\r\n")
    }
    let transport = CurlTransport(engine: server.url)
    let answer = await transport.begin(.get("/")).all().answer
    #expect(answer?.status == 302)
    #expect(answer?.header("location") == "/portal")
  }

  @Test func `a file that is missing or has another length is the client's own failure`()
    async throws
  {
    let scratch = try Scratch()
    try PosixFileSystem().create(scratch.file("photo"), pattern(10))
    let server = TestServer { peer, _ in peer.waitForEnd() }
    let transport = CurlTransport(engine: server.url)
    #expect(
      await transport.begin(.put("/", file: scratch.file("none"), 10)).all()
        == [.failed(.file("\(scratch.file("none")): No such file or directory"))])
    #expect(
      await transport.begin(.put("/", file: scratch.file("photo"), 11)).all()
        == [.failed(.file("\(scratch.file("photo")): has 10 bytes, and had 11"))])
  }

  @Test func `a file that shrinks under way fails and its body stays short`() async throws {
    let scratch = try Scratch()
    let path = scratch.file("photo")
    try PosixFileSystem().create(path, pattern(1_000_000))
    let (arrived, goOn) = (Left<Int>(), Left<Void>())
    let server = TestServer(receiveBuffer: 4_096) { peer, _ in
      _ = peer.head()
      goOn.waitOnThread()
      arrived.leave(peer.body().bytes.count)
    }
    let transport = CurlTransport(engine: server.url)
    let recorder = Recorder(transport.begin(.put("/", file: path, 1_000_000)))
    let counted = try await recorder.quietCount()
    truncate(path, 500_000)
    goOn.leave(())
    let events = await recorder.all()
    guard case .failed(.file(let words)) = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(counted < 500_000)
    #expect(words == "\(path): ends after 500000 of 1000000 bytes")
    #expect(try #require(try await arrived.take()) <= 500_000)
  }

  @Test func `ten exchanges at once keep their answers apart`() async {
    let waiting = Mutex(0)
    let server = TestServer { peer, _ in
      guard let request = peer.request() else { return }
      // None is answered before all have come, so that they are at once.
      waiting.withLock { $0 += 1 }
      for _ in 0..<1_000 where waiting.withLock({ $0 < 10 }) { usleep(5_000) }
      peer.say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
      peer.say(String(decoding: request.body, as: UTF8.self))
    }
    let transport = CurlTransport(engine: server.url)
    let exchanges = (0..<10).map { transport.begin(.post("/", Array("number \($0)".utf8))) }
    for (number, exchange) in exchanges.enumerated() {
      #expect(await exchange.all().answer?.body == Array("number \(number)".utf8))
    }
    #expect(waiting.withLock { $0 } == 10)
  }

  @Test func `shutting down cuts what is under way and refuses what comes later`() async throws {
    let ended = Left<Int32>()
    let server = TestServer { peer, _ in
      _ = peer.head()
      ended.leave(peer.body().error)
    }
    let transport = CurlTransport(engine: server.url)
    let recorder = Recorder(transport.begin(.get("/")))
    try await recorder.wait { $0.contains(.began(attempt: 1)) }
    transport.shutdown()
    transport.shutdown()
    #expect(await recorder.all() == [.began(attempt: 1), .failed(.cut)])
    #expect(try await ended.take() == 0)
    #expect(await transport.begin(.get("/")).all().isNotConnected)
  }

  @Test func `a transport leaves no descriptor and no thread, and asks no proxy`() async {
    // In a process of its own, where nothing else opens or starts anything.
    await #expect(processExitsWith: .success) {
      setenv("http_proxy", "http://127.0.0.1:\(TestServer.deadPort())", 1)
      setenv("ALL_PROXY", "http://127.0.0.1:\(TestServer.deadPort())", 1)
      let server = TestServer { peer, number in
        while peer.request() != nil {
          if number > 2 { break }
          peer.answer()
        }
      }
      func openDescriptors() throws -> Int { try PosixFileSystem().list("/proc/self/fd").count }
      // The first use of libcurl and of the runtime opens things for good; the server's end of the
      // connection closes on its thread, soon after.
      _ = await CurlTransport(engine: server.url).begin(.get("/")).all()
      try await pause(.milliseconds(200))
      let before = try openDescriptors()
      do {
        let transport = CurlTransport(engine: server.url)
        let status = await transport.begin(.get("/")).all().answer?.status
        #expect(status == 200)
        let threads = try namesOfThreads()
        #expect(threads.contains("onebar-curl"), "\(threads)")
        // At least both ends of the kept connection.
        let during = try openDescriptors()
        #expect(during >= before + 2, "\(during) descriptors, \(before) before")
        let lost = await CurlTransport(engine: server.url).begin(.get("/")).all()
        #expect(lost.isBroken)
      }
      var after = before + 1
      for _ in 0..<200 where after > before {
        after = try openDescriptors()
        try await pause(.milliseconds(10))
      }
      #expect(after <= before, "\(after) descriptors, \(before) before")
      let threads = try namesOfThreads()
      #expect(threads.contains("test-accept"), "\(threads)")
      #expect(!threads.contains("onebar-curl"), "\(threads)")
    }
  }
}

private func namesOfThreads() throws -> [String] {
  try PosixFileSystem().list("/proc/self/task").compactMap { task in
    let comm = try OwnedDescriptor(opening: "/proc/self/task/\(task)/comm", O_RDONLY)
    var name = [UInt8](repeating: 0, count: 16)
    let count = try name.withUnsafeMutableBytes { try comm.read(into: $0, from: 0) }
    return String(decoding: name[..<count].dropLast(), as: UTF8.self)
  }
}
