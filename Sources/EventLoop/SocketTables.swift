import CLinux

/// The kernel's socket tables: what it holds for a TCP socket of any process of this machine.
package final class SocketTables {
  /// What the kernel says of one socket (sock_diag(7), struct tcp_info).
  package struct State: Hashable, Sendable {
    /// Bytes that its process has written and the peer's kernel has not acknowledged.
    package var unacknowledged: Int
    /// Bytes that its process has written since it was connected.
    package var written: Int
    /// Segments sent again, without those that the peer already had: a tail loss probe (RFC 8985)
    /// asks for an acknowledgement that is late, and repairs and delays nothing.
    package var retransmissions: Int
    package var zeroWindowProbes: Int
  }

  private let netlink: Descriptor

  package init() throws(SystemFailure) {
    netlink = try Descriptor(CLinux_diagnosisCreate(), doing: "opening the kernel's socket tables")
  }

  /// The state of the socket with these two ends; nil when there is none on this machine.
  package func state(local: SocketAddress, remote: SocketAddress) -> State? {
    var state = CLinux_SocketState()
    guard
      CLinux_diagnose(
        netlink.number, local.address, local.port, remote.address, remote.port, &state) == 0
    else { return nil }
    return State(
      unacknowledged: Int(state.sendQueue),
      written: Int(state.written),
      retransmissions: max(0, Int(state.retransmissions) - Int(state.duplicates)),
      zeroWindowProbes: Int(state.probes))
  }
}
