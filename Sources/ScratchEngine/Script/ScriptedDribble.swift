/// An answer that goes out in small pieces: so many bytes, then a pause, then so many more.
package struct ScriptedDribble: Hashable, Sendable {
  /// Of each piece; the last may be shorter.
  package var bytes: Int
  /// From one piece to the next.
  package var every: Duration

  package init(bytes: Int, every: Duration) {
    self.bytes = bytes
    self.every = every
  }
}
