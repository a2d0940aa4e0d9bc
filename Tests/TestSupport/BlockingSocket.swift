import CLinux
import Glibc

/// A plain blocking TCP socket, for the other end of what a test is about.
///
/// Its descriptor is closed once, by `close`, `reset` or the end of its life.
package final class BlockingSocket: ClientSocket, Sendable {
  package let descriptor: Int32

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    // A test that waits for ever says nothing; this one fails.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    Glibc.close(descriptor)
  }

  package static func connect(port: UInt16, sendBuffer: Int32? = nil) -> BlockingSocket? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    if var sendBuffer {
      setsockopt(
        descriptor, SOL_SOCKET, SO_SNDBUF, &sendBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var name = loopback(port)
    let connected = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      Glibc.close(descriptor)
      return nil
    }
    return BlockingSocket(descriptor)
  }

  /// Listens on any free port of the loopback interface.
  package static func listen() -> (listener: BlockingSocket, port: UInt16)? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let listener = BlockingSocket(descriptor)
    var name = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && Glibc.listen(descriptor, 128) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    return bound ? (listener, UInt16(bigEndian: name.sin_port)) : nil
  }

  package func accept() -> BlockingSocket? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    return accepted >= 0 ? BlockingSocket(accepted) : nil
  }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  package func receive(upTo size: Int) -> [UInt8]? {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      count = Glibc.recv(descriptor, buffer.baseAddress, size, 0)
      filled = max(0, count)
    }
    return count >= 0 ? bytes : nil
  }

  package func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  package func resetOnClose() {
    _ = CLinux_setResetOnClose(descriptor)
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return name
  }
}
