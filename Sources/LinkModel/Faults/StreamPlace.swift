/// A place in what one side of a connection says: behind so many bytes that have come out of the
/// link, counted from the connection's first.
package struct StreamPlace: Hashable, Sendable {
  package var side: LinkSide
  package var bytes: Int

  package init(_ side: LinkSide, _ bytes: Int) {
    self.side = side
    self.bytes = bytes
  }
}
