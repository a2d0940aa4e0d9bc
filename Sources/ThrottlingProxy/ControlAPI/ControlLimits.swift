import Quantities

/// The most that clients of the control API may ask for; reaching a limit is answered, not hidden.
package enum ControlLimits {
  /// Proxies: each has a listener of its own.
  package static let proxies = 1_000
  /// Toxics of one proxy: each costs every connection its bookkeeping.
  package static let toxics = 100
  /// Bytes of a name or of an address: together with the others it bounds what is kept.
  package static let name = 1_000
  /// Bytes of a request's body: a thousand proxies with addresses are a tenth of it.
  package static let body = 1_000_000
  /// Connections to the API at a time: a test suite has one or two.
  package static let connections = 64
  /// A request has to be whole, and its answer taken, within this time.
  static let requestTime = Duration.seconds(25)
  /// A connection without a request is kept so long.
  static let idleTime = Duration.seconds(120)
}
