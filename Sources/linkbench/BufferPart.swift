import EventLoop
import Foundation
import Quantities

/// What the path has taken of a client, and the server has not received, while the client waits.
enum BufferPart {
  struct Result {
    var peer: Peer
    var declared: ByteCount?
    var rate: Double
    /// Bytes, the client's own send queue included: it is kept small.
    var mean: Double
    var least: Int
    var most: Int
  }

  /// The kernel doubles it; the smallest that a client can ask for.
  private static let sendBuffer = 2_304
  /// One write of the client.
  private static let step = 1_460

  static func measure(
    _ peer: Peer, buffer: ByteCount?, rate: Double, for duration: Double, _ bench: Bench
  ) throws -> Result {
    let listener = try Listener(on: SocketAddress(port: 0))
    let running = try bench.start(
      peer, Peer.Task(rate: rate, isShared: true, buffer: buffer.map { "\($0.bytes)B" }),
      to: listener.address)
    let client = try TCPSocket.connected(to: running.address, sendBuffer: sendBuffer)
    let server = try TCPSocket.accepted(from: listener)
    let handed = Tally()
    let received = Tally()
    let (sender, sink) = (Handed(value: client), Handed(value: server))
    let sent = Background {
      let block = [UInt8](repeating: 0, count: step)
      while true {
        // What the kernel has taken of a write counts at once.
        switch block.withUnsafeBytes({ sender.value.write($0) }) {
        case .moved(let count): handed.add(count)
        case .wouldBlock: sender.value.wait(for: POLLOUT)
        case .ended, .broken: return
        }
      }
    }
    let drained = Background {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = buffer.withUnsafeMutableBytes({ sink.value.readBlocking(into: $0) }),
        count > 0
      { received.add(count) }
    }
    // Until the client has been kept waiting for a while: it gets on no faster than the rate.
    var before = -1
    while Double(handed.count - before) > 4 * rate * 0.5 {
      before = handed.count
      usleep(500_000)
    }
    usleep(1_000_000)
    var held: [Int] = []
    let end = seconds() + duration
    while seconds() < end {
      held.append(handed.count - received.count)
      usleep(5_000)
    }
    client.abort()
    server.abort()
    sent.wait()
    drained.wait()
    return Result(
      peer: peer, declared: buffer, rate: rate,
      mean: Double(held.reduce(0, +)) / Double(held.count), least: held.min() ?? 0,
      most: held.max() ?? 0)
  }

  static func table(_ results: [Result]) -> String {
    Table(
      ["declared", "through", "held on average", "off by", "least", "most"],
      results.map { result in
        [
          result.declared.map { "\($0)" } ?? "cannot be", result.peer.rawValue,
          "\(ByteCount(Int(result.mean) / 100 * 100))",
          result.declared.map { signed((result.mean / Double($0.bytes) - 1) * 100, 1) + " %" }
            ?? "", "\(ByteCount(result.least / 100 * 100))",
          "\(ByteCount(result.most / 100 * 100))",
        ]
      }
    ).text
  }
}
