package import EventLoop
package import LinkModel

/// What carries out the changes of a ``ProxyRegistry``: sockets, or their stand-in.
package protocol ProxyHost: AnyObject {
  /// Starts to carry connections; returns where it listens.
  ///
  /// Throws when the port cannot be had.
  func start(_ record: ProxyRecord) throws(SystemFailure) -> SocketAddress
  /// Closes all its connections at once, and stops listening.
  func stop(_ name: String)
  /// Lays these toxics on new connections and on those that are there.
  func setToxics(_ toxics: [Toxic], of name: String)
  /// What it has carried, over all its connections; nil when it never ran.
  func flow(of name: String) -> (up: LaneFlow, down: LaneFlow)?
}
