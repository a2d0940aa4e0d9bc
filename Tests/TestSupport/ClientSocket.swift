/// A client's end of a connection that waits for what it asks, in the open or through TLS.
package protocol ClientSocket: AnyObject {
  var descriptor: Int32 { get }

  /// Sends all of the bytes; false when the connection breaks before.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool

  /// What arrives next; empty at the end of the stream, nil (and `errno`) when it is broken.
  func receive(upTo size: Int) -> [UInt8]?

  func endSending()

  /// Makes the close at the end of its life a reset.
  func resetOnClose()
}

extension ClientSocket {
  package func receive() -> [UInt8]? { receive(upTo: 65_536) }

  /// Everything up to the end of the stream, and whether that end was a clean one.
  package func receiveAll() -> (bytes: [UInt8], cleanEnd: Bool) {
    var all: [UInt8] = []
    while let part = receive() {
      if part.isEmpty { return (all, true) }
      all += part
    }
    return (all, false)
  }
}
