import CLinux
import Glibc

/// A pipe through which bytes go from one socket to another without leaving the kernel.
package final class TransitPipe {
  /// More than a socket hands over at a time: each turn costs two calls, whatever it moves.
  private static let size: Int32 = 262_144

  private let output: Descriptor
  private let input: Descriptor
  private let capacity: Int
  /// Bytes on their way.
  package private(set) var count = 0

  /// Throws when the system has no descriptors or no memory for one.
  package init() throws(SystemFailure) {
    var ends: [Int32] = [-1, -1]
    let capacity = CLinux_pipeOfSize(&ends, Self.size)
    guard capacity > 0 else { throw SystemFailure("making a pipe") }
    self.capacity = Int(capacity)
    output = try Descriptor(ends[0], doing: "making a pipe")
    input = try Descriptor(ends[1], doing: "making a pipe")
    // Writing to a broken socket is an error of the call, as it is everywhere else.
    CLinux_signalIgnore(SIGPIPE)
  }

  /// Takes in what has come, up to the pipe's size.
  ///
  /// Only while it is empty can `.wouldBlock` mean nothing but that the socket has no bytes.
  package func fill(from socket: TCPSocket) -> TCPSocket.Outcome {
    let outcome = move(from: socket.descriptor, to: input, upTo: capacity - count)
    if case .moved(let moved) = outcome { count += moved }
    return outcome
  }

  /// Hands on what the socket takes.
  package func drain(to socket: TCPSocket) -> TCPSocket.Outcome {
    // With nothing to move, an open pipe would pass for one that has ended.
    guard count > 0 else { return .moved(0) }
    let outcome = move(from: output, to: socket.descriptor, upTo: count)
    if case .moved(let moved) = outcome { count -= moved }
    return outcome
  }

  private func move(from: Descriptor, to: Descriptor, upTo limit: Int) -> TCPSocket.Outcome {
    while true {
      let moved = CLinux_splice(from.number, to.number, limit)
      if moved > 0 { return .moved(moved) }
      if moved == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN ? .wouldBlock : .broken(errno)
    }
  }
}
