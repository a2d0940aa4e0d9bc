import EventLoop

/// Where a proxy passes connections on to, as its text is read.
enum Upstream: Hashable {
  case address(SocketAddress)
  case name(host: String, port: UInt16)
  /// Nothing that leads anywhere: clients are refused, as they are by a server that is down.
  case unreadable

  init(_ text: String) {
    if let address = try? SocketAddress(parsing: text) {
      self = .address(address)
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]) else {
      self = .unreadable
      return
    }
    // As elsewhere, no host is this machine.
    self =
      parts[0].isEmpty
      ? .address(SocketAddress(port: port)) : .name(host: String(parts[0]), port: port)
  }
}
