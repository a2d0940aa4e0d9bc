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
