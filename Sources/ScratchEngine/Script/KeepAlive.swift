/// How long the engine keeps a connection between requests, and for how many of them; unless it is
/// said, for ever and for any number.
package struct KeepAlive: Hashable, Sendable {
  /// From an answer to the end of a connection that brings no byte of a further request.
  package var timeout: Duration?
  /// How it ends then.
  ///
  /// Behind an `end` the engine has left: what still comes is answered with a reset, as a kernel
  /// answers for a socket that is closed (RFC 9293 section 3.6.1), and nothing of it is done.
  package var close: ScriptedClose
  /// The answer to so many of a connection's requests closes it; RFC 9112 section 9.6.
  package var requests: Int?

  package init(
    timeout: Duration? = nil, close: ScriptedClose = .end, requests: Int? = nil
  ) {
    self.timeout = timeout
    self.close = close
    self.requests = requests
  }
}
