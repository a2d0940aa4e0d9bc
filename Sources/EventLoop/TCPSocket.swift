import CLinux
import Glibc

/// A TCP socket that never blocks, without Nagle's delay.
package final class TCPSocket {
  /// What one read or write did.
  package enum Outcome: Hashable {
    case moved(Int)
    /// Nothing can move now.
    case wouldBlock
    /// The peer has ended its stream; only of a read.
    case ended
    /// The connection is broken; the error number.
    case broken(Int32)
  }

  package let descriptor: Descriptor

  /// SO_SNDBUF of a connection that is made here.
  ///
  /// Left to itself the kernel takes in megabytes for a peer that does not read; this is as much as
  /// one write.
  private static let sendBuffer: Int32 = 65_536

  private init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    _ = CLinux_setNoDelay(descriptor.number)
  }

  /// Takes the next connection that waits on a listener; nil when none does.
  package static func accept(from listener: Listener) throws(SystemFailure) -> TCPSocket? {
    while true {
      let number = CLinux_accept(listener.descriptor.number)
      if number >= 0 {
        return TCPSocket(try Descriptor(number, doing: ""))
      }
      switch errno {
      case EAGAIN: return nil
      // A connection that ended while it waited is not a failure of the listener (accept(2)).
      case EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTUNREACH, ENETUNREACH: continue
      default: throw SystemFailure("accepting a connection")
      }
    }
  }

  /// Starts a connection; it is made once the socket is writable, and failed when it is broken.
  package static func connect(to peer: SocketAddress) throws(SystemFailure) -> TCPSocket {
    var error: Int32 = 0
    let number = CLinux_connect(peer.address, peer.port, Self.sendBuffer, &error)
    let descriptor = try Descriptor(number, doing: "making a socket")
    guard error == 0 || error == EINPROGRESS else {
      throw SystemFailure("connecting to \(peer)", code: error)
    }
    return TCPSocket(descriptor)
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    while true {
      let count = Glibc.recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .moved(count) }
      if count == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .broken(errno)
    }
  }

  package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count = Glibc.send(
        descriptor.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return .moved(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .broken(errno)
    }
  }

  /// Ends the sending direction with a FIN behind the bytes written.
  package func endSending() {
    _ = shutdown(descriptor.number, Int32(SHUT_WR))
  }

  /// Makes the coming close a reset, which discards what the kernel still holds.
  package func resetOnClose() {
    _ = CLinux_setResetOnClose(descriptor.number)
  }

  /// Asks for a small send buffer (SO_SNDBUF), which the kernel then no longer grows.
  package func limitSendBuffer(to bytes: Int) {
    var size = Int32(bytes)
    _ = setsockopt(
      descriptor.number, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Reads what the kernel has received, and throws it away.
  package func discardUnread() {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
      // A peer that writes as fast as this reads is not waited for.
      for _ in 0..<128 { guard case .moved = read(into: buffer) else { return } }
    }
  }

  /// Bytes received and not yet read.
  package var unread: Int { Int(CLinux_unread(descriptor.number)) }

  /// Bytes written that the kernel has not sent yet.
  package var unsent: Int { Int(CLinux_unsent(descriptor.number)) }

  /// Bytes written and not yet acknowledged by the peer's kernel.
  package var unacknowledged: Int { Int(CLinux_unacknowledged(descriptor.number)) }

  /// The other end; nil once the connection is broken.
  package var peer: SocketAddress? {
    var peer = SocketAddress(address: 0, port: 0)
    guard CLinux_peer(descriptor.number, &peer.address, &peer.port) == 0 else { return nil }
    return peer
  }
}
