import CLinux
import EventLoop
import Foundation

/// Seconds on the monotonic clock.
func seconds() -> Double { Double(CLinux_monotonicNanoseconds()) / 1e9 }

/// Processor seconds that this thread has used.
func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The result of a body that runs on a thread of its own.
final class Background<Value>: @unchecked Sendable {
  // The value is written before the signal and read after it.
  private var value: Value?
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Value) {
    Thread.detachNewThread { [self] in
      value = body()
      done.signal()
    }
  }

  /// Waits for the result.
  func wait() -> Value {
    done.wait()
    guard let value else { preconditionFailure("the signal comes after the value") }
    return value
  }
}

/// A socket handed from the thread that made it to the one that uses it.
struct Handed<Value>: @unchecked Sendable {
  // Only one thread uses it at a time: whoever hands it over lets go of it.
  let value: Value
}

/// Blocking use of sockets that never block.
extension TCPSocket {
  /// Connected, or the failure.
  static func connected(to address: SocketAddress, sendBuffer: Int? = nil) throws -> TCPSocket {
    let socket = try connect(to: address)
    if let sendBuffer { socket.limitSendBuffer(to: sendBuffer) }
    socket.wait(for: POLLOUT)
    return socket
  }

  static func accepted(from listener: Listener) throws -> TCPSocket {
    while true {
      if let socket = try accept(from: listener) { return socket }
      var watched = pollfd(fd: listener.descriptor.number, events: Int16(POLLIN), revents: 0)
      poll(&watched, 1, -1)
    }
  }

  /// Waits until the socket is ready, or broken.
  func wait(for events: Int32) {
    var watched = pollfd(fd: descriptor.number, events: Int16(events), revents: 0)
    poll(&watched, 1, -1)
  }

  /// Bytes read, once there are some; 0 at the end of the stream or when it is broken.
  func readBlocking(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      switch read(into: buffer) {
      case .moved(let count): return count
      case .wouldBlock: wait(for: POLLIN)
      case .ended, .broken: return 0
      }
    }
  }

  /// Writes everything; false when the connection is broken.
  func writeBlocking(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch write(UnsafeRawBufferPointer(rebasing: rest)) {
      case .moved(let count): rest = rest.dropFirst(count)
      case .wouldBlock: wait(for: POLLOUT)
      case .ended, .broken: return false
      }
    }
    return true
  }

  /// Ends what others do with the socket, at once.
  func abort() {
    resetOnClose()
    shutdown(descriptor.number, Int32(SHUT_RDWR))
  }
}

/// Writes zeros as fast as the socket takes them, until it is broken.
func flood(_ socket: TCPSocket) -> Background<Void> {
  let socket = Handed(value: socket)
  return Background {
    let block = [UInt8](repeating: 0, count: 262_144)
    while block.withUnsafeBytes({ socket.value.writeBlocking($0) }) {}
  }
}
