/// What moves down a chain of toxics, in the order of the stream.
package enum ToxicFlow: Hashable, Sendable {
  case bytes(Int)
  /// Bytes that a toxic has swallowed; they keep their place, so that whoever holds the content
  /// drops the right ones.
  case dropped(Int)
  /// The source has ended its stream.
  case end
  /// A toxic closes the connection, behind what was passed before.
  case close
  /// A toxic resets the connection.
  case reset

  var count: Int {
    switch self {
    case .bytes(let count), .dropped(let count): count
    case .end, .close, .reset: 0
    }
  }
}
