/// A moment in the life of a connection or a request.
///
/// A place that a body or an answer does not come to is never reached: the rule then does nothing.
package enum ScriptPhase: Hashable, Sendable {
  /// The connection was accepted, and nothing of it is read, nor a handshake answered.
  case connect
  /// Its head has been read, and nothing of its body.
  case head
  /// So many bytes of its body have been read.
  case body(Int)
  /// Its body has been coming for so long since its head.
  case bodyTime(Duration)
  /// Its head has been read, and then no byte of its body has come for so long; as long as it is
  /// read.
  case silence(Duration)
  /// Its body has been read, and nothing is stored.
  case whole
  /// What it brought is stored, and nothing is answered.
  case stored
  /// So many bytes of the answer, its head included, have been sent.
  case answer(Int)
}
