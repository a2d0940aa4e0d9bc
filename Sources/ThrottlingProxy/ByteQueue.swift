import EventLoop

/// Bytes in order, in one piece: a packet is one write, however its bytes came in.
struct ByteQueue {
  private var bytes: [UInt8] = []
  /// Bytes at the front that are gone.
  private var spent = 0

  var count: Int { bytes.count - spent }

  mutating func append(_ new: UnsafeRawBufferPointer) {
    // Each byte is moved some four times at most, and little memory is held beyond the bytes.
    if spent > count / 4 {
      bytes.removeSubrange(..<spent)
      spent = 0
    }
    let needed = bytes.count + new.count
    if needed > bytes.capacity { bytes.reserveCapacity(needed + needed / 8) }
    bytes.append(contentsOf: new)
  }

  mutating func drop(_ gone: Int) {
    spent += gone
    if count == 0 { self = ByteQueue() }
  }

  /// Writes up to `limit` bytes to a socket; returns how many it took, and what stopped it.
  mutating func write(upTo limit: Int, to socket: TCPSocket) -> (written: Int, TCPSocket.Outcome) {
    let size = min(limit, count)
    guard size > 0 else { return (0, .moved(0)) }
    let outcome = bytes.withUnsafeBytes {
      socket.write(UnsafeRawBufferPointer(rebasing: $0[spent..<spent + size]))
    }
    guard case .moved(let moved) = outcome else { return (0, outcome) }
    spent += moved
    // Nothing of a burst is kept in a connection that rests.
    if count == 0 { self = ByteQueue() }
    return (moved, outcome)
  }
}
