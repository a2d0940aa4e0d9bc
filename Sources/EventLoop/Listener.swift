import CLinux

/// A listening TCP socket.
package final class Listener {
  /// Connections that wait to be accepted, at most; the kernel's own limit may be smaller.
  package static let backlog: Int32 = 4_096

  package let descriptor: Descriptor
  package let address: SocketAddress

  /// Listens; port 0 takes any free one.
  ///
  /// `receiveBuffer` (SO_RCVBUF) and `segment` (TCP_MAXSEG)
  /// pass to accepted connections; 0 leaves the system's.
  package init(on asked: SocketAddress, receiveBuffer: Int = 0, segment: Int = 0)
    throws(SystemFailure)
  {
    descriptor = try Descriptor(
      CLinux_listen(
        asked.address, asked.port, Int32(receiveBuffer), Int32(segment), Self.backlog),
      doing: "listening on \(asked)")
    var bound = asked
    guard CLinux_boundPort(descriptor.number, &bound.port) == 0 else {
      throw SystemFailure("reading the port of a listener")
    }
    address = bound
  }
}
