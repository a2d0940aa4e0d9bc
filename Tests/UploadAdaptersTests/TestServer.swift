import EventLoop
import Glibc
import Synchronization

@testable import UploadAdapters

/// A small blocking server on a free port of 127.0.0.1; each connection is served on a thread.
///
/// A read that nothing answers fails after 30 seconds, so that no test hangs.
final class TestServer: Sendable {
  let port: UInt16
  private let listener: Int32
  private let accepting: OwnedThread?

  var url: String { "http://127.0.0.1:\(port)" }

  /// `serve` gets each connection with its number from 1; it is closed when `serve` returns.
  init(receiveBuffer: Int32? = nil, serve: @escaping @Sendable (Peer, Int) -> Void) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var bytes = receiveBuffer {
      setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = bind(listener, address, length)
        _ = getsockname(listener, address, &length)
      }
    }
    listen(listener, 64)
    self.listener = listener
    port = UInt16(bigEndian: address.sin_port)

    accepting = OwnedThread(name: "test-accept") {
      var threads: [OwnedThread] = []
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 { break }
        let number = threads.count + 1
        let peer = Peer(descriptor)
        guard
          let thread = OwnedThread(
            name: "test-serve",
            {
              serve(peer, number)
              peer.close()
            })
        else { break }
        threads.append(thread)
      }
      for thread in threads { thread.join() }
    }
  }

  deinit {
    // Wakes the thread in `accept`.
    shutdown(listener, Int32(SHUT_RDWR))
    accepting?.join()
    close(listener)
  }

  /// A port that nobody listens on.
  static func deadPort() -> UInt16 {
    TestServer { _, _ in }.port
  }
}

/// The server's end of one connection.
struct Peer: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Reads a head byte by byte; what was read when the connection ended before.
  func head() -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(descriptor, &byte, 1, 0) == 1 {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// At most that many bytes; fewer only when the connection ended, with the error or 0 for its end.
  func body(_ count: Int = .max) -> (bytes: [UInt8], error: Int32) {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < count {
      let got = recv(descriptor, &part, min(part.count, count - bytes.count), 0)
      if got == 0 { return (bytes, 0) }
      if got < 0 { return (bytes, errno) }
      bytes += part[..<got]
    }
    return (bytes, 0)
  }

  func say(_ text: String) {
    say(Array(text.utf8))
  }

  func say(_ bytes: [UInt8]) {
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func answer(_ body: String = "ok", status: Int = 200) {
    say("HTTP/1.1 \(status) Fine\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Reads a whole request that has a length; nil when the connection ended.
  func request() -> (head: String, body: [UInt8])? {
    let head = head()
    guard head.hasSuffix("\r\n\r\n") else { return nil }
    let field = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
    let count = field.flatMap { Int($0.dropFirst(16)) } ?? 0
    return (head, body(count).bytes)
  }

  /// Waits until the other end has gone.
  func waitForEnd() {
    _ = body()
  }

  fileprivate func close() {
    Glibc.close(descriptor)
  }
}

/// A value that a server's thread leaves for the test, which waits for it.
final class Left<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func leave(_ value: Value) {
    self.value.withLock { $0 = value }
  }

  /// The value, or nil after 30 seconds.
  func take() async throws -> Value? {
    for _ in 0..<3_000 {
      if let value = value.withLock({ $0 }) { return value }
      try await pause(.milliseconds(10))
    }
    return nil
  }

  /// As `take`, on a thread of a server.
  func waitOnThread() {
    for _ in 0..<3_000 where value.withLock({ $0 == nil }) { usleep(10_000) }
  }
}

func pause(_ time: Duration) async throws {
  try await ContinuousClock().sleep(for: time)
}
