import EventLoop
import LinkModel

/// Bytes in order, in the chunks in which they came.
struct ByteQueue {
  private var chunks = FIFO<ArraySlice<UInt8>>()
  private var started: ArraySlice<UInt8> = []
  private(set) var count = 0

  mutating func append(_ bytes: ArraySlice<UInt8>) {
    chunks.append(bytes)
    count += bytes.count
  }

  /// Writes up to `limit` bytes to a socket; returns how many it took, and what stopped it.
  mutating func write(upTo limit: Int, to socket: TCPSocket) -> (written: Int, TCPSocket.Outcome) {
    var written = 0
    while written < limit {
      if started.isEmpty {
        guard let next = chunks.popFirst() else { break }
        started = next
      }
      let outcome = started.prefix(limit - written).withUnsafeBytes { socket.write($0) }
      guard case .moved(let moved) = outcome else { return (written, outcome) }
      // An empty slice would keep the memory of what it was cut from.
      started = moved == started.count ? [] : started.dropFirst(moved)
      count -= moved
      written += moved
    }
    return (written, .moved(written))
  }
}
