import EventLoop
import TestSupport
import Testing
import ThrottlingProxy

/// The control API on a loop of its own, and a plain server for its proxies to lead to.
struct ControlFixture {
  let server: BlockingSocket
  let serverPort: UInt16
  let port: UInt16
  private let thread: LoopThread<ControlServer>

  struct CannotStart: Error {}

  init(factor: Double = 1) throws {
    guard let (server, serverPort) = BlockingSocket.listen() else { throw CannotStart() }
    (self.server, self.serverPort) = (server, serverPort)
    thread = try LoopThread(factor: factor) { loop in
      try ControlServer(listen: SocketAddress(port: 0), loop: loop)
    }
    guard let port = thread.ask({ _, control in control.address.port }) else {
      throw CannotStart()
    }
    self.port = port
  }

  func ask<Answer: Sendable>(_ body: @escaping @Sendable (ControlServer) -> Answer) -> Answer? {
    thread.ask { _, control in body(control) }
  }

  func stop() {
    _ = thread.ask { _, control in control.stop() }
    thread.stop()
  }

  /// One request on a connection of its own; nil when there is no answer.
  @discardableResult
  func send(_ method: String, _ target: String, _ body: String = "") -> (status: Int, body: String)?
  {
    guard let socket = BlockingSocket.connect(port: port) else { return nil }
    socket.send(
      Array(
        """
        \(method) \(target) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Connection: close\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """.utf8))
    return Self.parsed(socket.receiveAll().bytes)
  }

  static func parsed(_ bytes: [UInt8]) -> (status: Int, body: String)? {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, text.hasPrefix("HTTP/1.1 "),
      let status = Int(text.dropFirst(9).prefix(3))
    else { return nil }
    return (status, String(parts[1]))
  }

  /// Makes a proxy to the plain server; returns its port.
  func makeProxy(
    _ name: String = "p", upstream: String? = nil, link: String = "{}"
  ) throws -> UInt16 {
    let upstream = upstream ?? "localhost:\(serverPort)"
    let body = #"{"name":"\#(name)","upstream":"\#(upstream)","link":\#(link)}"#
    let answer = try #require(send("POST", "/proxies", body))
    let listen = try #require(answer.body.firstMatch(of: /"listen":"127\.0\.0\.1:(\d+)"/))
    return try #require(UInt16(listen.1))
  }

  func addToxic(_ type: String, _ stream: String, _ attributes: String = "{}") {
    let body = #"{"type":"\#(type)","stream":"\#(stream)","attributes":\#(attributes)}"#
    #expect(send("POST", "/proxies/p/toxics", body)?.status == 200)
  }

  /// A client through the proxy, and the server's end of its connection.
  func connect(_ port: UInt16) throws -> (client: BlockingSocket, server: BlockingSocket) {
    (try #require(BlockingSocket.connect(port: port)), try #require(server.accept()))
  }

  /// Bytes that the proxies hold now.
  var queued: Int? {
    ask { control in control.reading.flow.up.queued + control.reading.flow.down.queued }
  }
}
