/// How the script ends a connection.
package enum ScriptedClose: String, Hashable, Sendable, CaseIterable {
  /// The end of the stream (FIN) follows what was sent; what still comes is read and thrown away,
  /// for a close with unread bytes would become a reset (RFC 9112 section 9.6).
  case end
  /// A reset: what is on its way in either direction may be lost with it, and what has not crossed
  /// the link is.
  case reset
  /// Nothing more is read or sent, and the connection stays until the client ends it.
  case silence
}
