/// One of the two directions of a connection over a link.
package enum LinkSide: String, CaseIterable, Hashable, Sendable {
  /// From the client to the server.
  case up
  case down

  package var other: LinkSide { self == .up ? .down : .up }
}
