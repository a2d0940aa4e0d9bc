import FoundationEssentials
import Glibc
import TestSupport
import Testing

extension EndToEnd {
  /// Each part of the bench alone, as someone starts it by hand.
  @Suite struct ByHand {
    @Test func `a call reaches the engine through the proxy, and Ctrl-C ends both`() async throws {
      let scratch = try Scratch()
      let engine = try OnebarProcess(["engine"], in: scratch)
      let target = try await ByHand.port(of: engine)
      let proxy = try OnebarProcess(
        ["proxy", "--to", "127.0.0.1:\(target)", "--up", "20KB/s", "--latency", "10ms"], in: scratch
      )
      let port = try await ByHand.port(of: proxy)

      let socket = try #require(BlockingSocket.connect(port: port))
      socket.send(
        Array(
          "GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8))
      let answer = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(answer.contains("\"engine\":\"onebar\""))

      for part in [proxy, engine] {
        part.signal(SIGINT)
        #expect(try await part.end(within: 10).code == 0)
      }
    }

    @Test(arguments: [["engine"], ["proxy", "--to", "127.0.0.1:1"]])
    func `a port in use is told in words`(words: [String]) async throws {
      let scratch = try Scratch()
      let (listener, port) = try #require(BlockingSocket.listen())
      let ending = try await OnebarProcess(
        words + ["--listen", "127.0.0.1:\(port)"], in: scratch
      ).end(within: 20)
      #expect(ending.code == 2)
      #expect(ending.errors.contains("listening on 127.0.0.1:\(port): Address already in use"))
      #expect(ending.output.isEmpty)
      withExtendedLifetime(listener) {}
    }

    @Test func `an engine acts by its script, and writes down each request as it ends`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write(
        """
        turn: { takes: 1 s }
        script:
          - when: { path: /one }
            then: { answer: 503, headers: { Retry-After: 30 } }
          - when: { path: /two }
            then: { at: { body: 3 B }, close: reset }
        """, as: "script.yaml")
      let engine = try OnebarProcess(
        ["engine", "--script", "script.yaml", "--ledger", "ledger.jsonl"], in: scratch)
      let port = try await ByHand.port(of: engine)
      let head = "Host: localhost\r\nConnection: close\r\nContent-Length: 6\r\n\r\n"
      for (path, answer) in [("one", "HTTP/1.1 503 "), ("two", "")] {
        let socket = try #require(BlockingSocket.connect(port: port))
        socket.send(Array("PUT /\(path) HTTP/1.1\r\n\(head)abcdef".utf8))
        let received = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
        #expect(received.hasPrefix(answer) && received.isEmpty == answer.isEmpty)
      }
      // A third that never ends must not be in the file, and is in no line.
      let socket = try #require(BlockingSocket.connect(port: port))
      socket.send(Array("PUT /three HTTP/1.1\r\n\(head)".utf8))
      let isWritten = await eventually(within: 20) {
        scratch.text(of: "ledger.jsonl").split(separator: "\n").count == 4
      }
      #expect(isWritten, "\(scratch.text(of: "ledger.jsonl"))")
      engine.signal(SIGKILL)
      _ = try await engine.end(within: 10)
      let lines = scratch.text(of: "ledger.jsonl").split(separator: "\n")
      #expect(lines.count == 4 && scratch.text(of: "ledger.jsonl").hasSuffix("}}\n"))
      #expect(lines[0].contains(#""path":"/one","#) && lines[0].contains(#""status":503,"#))
      #expect(lines[2].contains(#""end":"reset","ended_by":"script","phase":"body""#))
      let log = engine.errorsSoFar.split(separator: "\n").filter { $0.contains(" PUT ") }
      #expect(log.count == 2)
      #expect(
        log[0].contains(#/^\d+\.\d{3} s #1 PUT /one: 503 \(rule 1\), 6 B in, \d+ B out, \d/#))
      #expect(
        log[1].contains(#/#2 PUT /two: reset by script at body \(rule 2\), \d B in, 0 B out,/#))
    }

    @Test func `a large body passes through an engine that stays small`() async throws {
      let scratch = try Scratch()
      let engine = try OnebarProcess(["engine", "--digest", "none"], in: scratch)
      let port = try await ByHand.port(of: engine)
      let socket = try #require(BlockingSocket.connect(port: port))
      // Far more than is kept of one upload.
      let (size, count) = (4_000_000, 100)
      socket.send(
        Array(
          ("PUT /files/large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Length: \(size * count)\r\n\r\n").utf8))
      let block = [UInt8](repeating: 0, count: size)
      for _ in 0..<count { socket.send(block) }
      let answer = String(decoding: socket.receiveAll().bytes, as: UTF8.self)
      #expect(answer.contains(#""bytes":400000000,"sha256":null,"#), "\(answer)")
      let most = try #require(
        String(
          decoding: FileManager.default.contents(atPath: "/proc/\(engine.pid)/status") ?? Data(),
          as: UTF8.self
        )
        .firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
      #expect(most < 60_000, "\(most) kB")
      engine.signal(SIGINT)
      #expect(try await engine.end(within: 10).code == 0)
    }

    @Test func `an engine that is killed in mid-upload has nothing half at its next start`()
      async throws
    {
      let scratch = try Scratch()
      let moment = "/api/moments/01J8Z0000000000000000000AB"
      let record = #"{"request_id":"e1","kind":"photo"}"#
      let words = ["engine", "--store", "stored"]
      let first = try OnebarProcess(words, in: scratch)
      let port = try await ByHand.port(of: first)
      #expect(try ask(port, "PUT", moment, record).hasPrefix("HTTP/1.1 201 "))
      #expect(try ask(port, "PUT", "/files/whole", "all of it").hasPrefix("HTTP/1.1 201 "))
      let before = try ask(port, "GET", moment)
      let cut = try ["\(moment)/media/o1?role=original", "/files/half"].map { target in
        let socket = try #require(BlockingSocket.connect(port: port))
        socket.send(
          Array("PUT \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n".utf8))
        socket.send([UInt8](repeating: 7, count: 300_000))
        return socket
      }
      let hasCome = await eventually(within: 20) {
        first.errorsSoFar.contains("2 under way, ")
      }
      #expect(hasCome, "\(first.errorsSoFar)")
      first.signal(SIGKILL)
      _ = try await first.end(within: 10)
      withExtendedLifetime(cut) {}

      let second = try OnebarProcess(words + ["--quiet"], in: scratch)
      let again = try await ByHand.port(of: second)
      #expect(try body(ask(again, "GET", moment)) == body(before))
      #expect(try ask(again, "GET", "\(moment)/media/o1").hasPrefix("HTTP/1.1 404 "))
      let files = try ask(again, "GET", "/files")
      #expect(files.contains(#""id":"/files/whole""#) && !files.contains("half"))
      #expect(second.errorsSoFar.isEmpty, "\(second.errorsSoFar)")
      second.signal(SIGINT)
      #expect(try await second.end(within: 10).code == 0)
      #expect(
        scratch.names(in: "stored") == ["01J8Z0000000000000000000AB", "file-2", "index.jsonl"])
    }

    private func body(_ answer: String) -> String? {
      answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) }
    }

    @Test func `a store without digests is refused, as nothing would check it`() async throws {
      let scratch = try Scratch()
      let ending = try await onebar(
        "engine", "--store", "stored", "--digest", "none", in: scratch, within: 20)
      #expect(ending.code == 2)
      #expect(
        ending.errors.contains(
          "--digest: a --store is checked by its digests; leave out one of the two"))
      #expect(!scratch.has("stored"))
    }

    @Test func `an engine with TLS writes the certificate that its clients have to trust`()
      async throws
    {
      let scratch = try Scratch()
      let engine = try OnebarProcess(["engine", "--tls", "engine.pem"], in: scratch)
      let port = try await ByHand.port(of: engine)
      let hasSaid = await eventually(within: 20) { engine.outputSoFar.contains("engine.pem\n") }
      #expect(hasSaid)
      #expect(engine.outputSoFar == "listening on 127.0.0.1:\(port)\ncertificate in engine.pem\n")
      let pem = scratch.text(of: "engine.pem")
      #expect(!pem.contains("PRIVATE"))
      let plain = try #require(BlockingSocket.connect(port: port))
      let socket = try #require(SecureBlockingSocket(plain, trusting: pem))
      socket.send(
        Array("GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
      let (bytes, isClean) = socket.receiveAll()
      #expect(isClean && String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
      engine.signal(SIGINT)
      #expect(try await engine.end(within: 10).code == 0)
    }

    @Test func `a certificate that cannot be written is told, and nothing listens`() async throws {
      let scratch = try Scratch()
      let ending = try await onebar("engine", "--tls", "no/engine.pem", in: scratch, within: 20)
      #expect(ending.code == 2 && ending.output.isEmpty)
      #expect(
        ending.errors == "onebar: --tls: making no/engine.pem: No such file or directory\n")
    }

    @Test func `a script that is wrong is refused with its places, and nothing listens`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write("trun: { takes: 5 s }\n", as: "script.yaml")
      let ending = try await onebar("engine", "--script", "script.yaml", in: scratch, within: 20)
      #expect(ending.code == 2 && ending.output.isEmpty)
      #expect(
        ending.errors == "script.yaml:1:1: error: unknown key \"trun\"; did you mean \"turn\"?\n")
    }

    @Test func `a proxy whose server is down says so`() async throws {
      let scratch = try Scratch()
      let proxy = try OnebarProcess(["proxy", "--to", "127.0.0.1:1"], in: scratch)
      let port = try await ByHand.port(of: proxy)
      let socket = try #require(BlockingSocket.connect(port: port))
      _ = socket.receiveAll()
      let isTold = await eventually(within: 20) {
        proxy.errorsSoFar.contains("0 connections; 127.0.0.1:1 could not be reached 1 time\n")
      }
      #expect(isTold, "\(proxy.errorsSoFar)")
      proxy.signal(SIGINT)
      #expect(try await proxy.end(within: 10).code == 0)
    }

    @Test func `faults are asked for by hand as a scenario writes them`() async throws {
      let scratch = try Scratch()
      let (listener, target) = try #require(BlockingSocket.listen())
      let proxy = try OnebarProcess(
        [
          "proxy", "--to", "127.0.0.1:\(target)", "--fault", "refuse: connections, connection: 1",
          "--fault", "{ cut: { up: 3 B }, as: end }",
        ], in: scratch)
      let port = try await ByHand.port(of: proxy)
      #expect(try #require(BlockingSocket.connect(port: port)).receive() == nil)
      let client = try #require(BlockingSocket.connect(port: port))
      client.send([1, 2, 3, 4])
      let server = try #require(listener.accept())
      #expect(server.receiveAll().bytes == [1, 2, 3])
      #expect(client.receive() == [])
      let isTold = await eventually(within: 20) {
        proxy.errorsSoFar.contains(
          "fault Connection 1 is refused\nfault Any connection is cut 3 B up, with an end of the stream\n"
        )
      }
      #expect(isTold, "\(proxy.errorsSoFar)")
      proxy.signal(SIGINT)
      #expect(try await proxy.end(within: 10).code == 0)
    }

    @Test func `the control API makes proxies, beside those of the command line and of a file`()
      async throws
    {
      let scratch = try Scratch()
      try scratch.write(
        #"[{"name":"filed","listen":"localhost:0","upstream":"localhost:1","enabled":false}]"#,
        as: "proxies.json")
      let proxy = try OnebarProcess(
        [
          "proxy", "--api", "127.0.0.1:0", "--to", "127.0.0.1:1", "--up", "20KB/s", "--config",
          "proxies.json", "--seed", "7",
        ], in: scratch)
      let given = try await ByHand.port(of: proxy)
      let api = try await ByHand.port(of: proxy, saying: /\napi listening on 127\.0\.0\.1:(\d+)\n/)
      let list = try ask(api, "GET", "/proxies")
      #expect(list.contains(#""filed":{"enabled":false"#))
      #expect(list.contains(#""onebar":{"enabled":true,"listen":"127.0.0.1:\#(given)""#))
      let made = try ask(api, "POST", "/proxies", #"{"name":"p","upstream":"localhost:\#(api)"}"#)
      let port = try #require(made.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { UInt16($0.1) })
      #expect(try ask(port, "GET", "/version").contains("2.12.0"), "the API through its own proxy")
      #expect(
        await eventually(within: 20) { proxy.errorsSoFar.contains("3 proxies, 0 connections") })
      proxy.signal(SIGINT)
      #expect(try await proxy.end(within: 10).code == 0)
    }

    @Test func `the control API alone begins without a proxy`() async throws {
      let scratch = try Scratch()
      let proxy = try OnebarProcess(["proxy", "--api", "127.0.0.1:0"], in: scratch)
      let api = try await ByHand.port(of: proxy, saying: /^api listening on 127\.0\.0\.1:(\d+)\n/)
      #expect(try ask(api, "GET", "/proxies").hasSuffix("{}"))
      proxy.signal(SIGTERM)
      #expect(try await proxy.end(within: 10).code == 0)
    }

    /// One request, and its whole answer.
    private func ask(
      _ port: UInt16, _ method: String, _ target: String, _ body: String = ""
    ) throws -> String {
      let socket = try #require(BlockingSocket.connect(port: port))
      socket.send(
        Array(
          ("\(method) \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8))
      return String(decoding: socket.receiveAll().bytes, as: UTF8.self)
    }

    /// From the first line that a part prints, or from another.
    static func port(
      of part: OnebarProcess,
      saying pattern: Regex<(Substring, Substring)> = /^listening on 127\.0\.0\.1:(\d+)\n/
    ) async throws -> UInt16 {
      var port: UInt16?
      let isListening = await eventually(within: 20) {
        let line = part.outputSoFar.firstMatch(of: pattern)
        port = line.flatMap { UInt16($0.1) }
        return port != nil
      }
      try #require(isListening)
      return try #require(port)
    }
  }
}
