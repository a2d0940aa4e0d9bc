import EventLoop
import Quantities

/// Clients and servers of many connections, on one event loop.
final class Crowd {
  private struct Sink {
    var socket: TCPSocket
    var bytes = 0
    var first: Instant?
    var last = Instant.zero
  }

  /// Connections under way at a time: fewer than any peer lets wait to be accepted.
  private static let batch = 64
  /// What a client's kernel holds for it: it is refilled often, so that no client ever runs dry.
  private static let sendBuffer = 8_192

  private let listener: Listener
  private let target: SocketAddress
  private let isSending: Bool
  private let loop: EventLoop
  private var clients: [TCPSocket] = []
  private var sinks: [Sink] = []
  private var isCounting = false
  private let zeros = [UInt8](repeating: 0, count: 65_536)
  private var room = [UInt8](repeating: 0, count: 65_536)

  init(from listener: Listener, to target: SocketAddress, isSending: Bool) throws {
    self.listener = listener
    self.target = target
    self.isSending = isSending
    loop = try EventLoop(scale: .starting(factor: 1))
    _ = try loop.watch(listener.descriptor, for: .readable) { [unowned self] _ in accept() }
  }

  var accepted: Int { sinks.count }

  /// Connects some more clients, and waits until the servers have them all or none comes any more.
  func connect(_ count: Int) throws {
    while clients.count < count {
      for _ in 0..<min(Self.batch, count - clients.count) {
        let client = try TCPSocket.connect(to: target)
        client.limitSendBuffer(to: Self.sendBuffer)
        clients.append(client)
        if isSending {
          _ = try loop.watch(client.descriptor, for: .writable) { [unowned self] _ in
            _ = zeros.withUnsafeBytes { client.write($0) }
          }
        }
      }
      let deadline = seconds() + 5
      while sinks.count < clients.count, seconds() < deadline { try run(for: 0.005) }
    }
  }

  func run(for duration: Double) throws {
    loop.schedule(at: loop.now + .seconds(exactly: duration)) { [unowned self] in loop.stop() }
    try loop.run()
  }

  /// Writes packets to the clients in turn, and lets another thread read them; the share of a core
  /// that the writing takes.
  func shareOfSending(packet: Int, perSecond: Double, for duration: Double) throws -> Double {
    let work = Background { [handed = Handed(value: self)] in
      var sent = 0
      let start = seconds()
      let before = threadSeconds()
      while case let time = seconds() - start, time < duration {
        while Double(sent) < time * perSecond {
          let client = handed.value.clients[sent % handed.value.clients.count]
          _ = handed.value.zeros.prefix(packet).withUnsafeBytes { client.write($0) }
          sent += 1
        }
        pause(0.0005)
      }
      return (threadSeconds() - before) / (seconds() - start)
    }
    try run(for: duration)
    return work.wait()
  }

  /// Rates are measured from the next receipt of each connection on.
  func startCounting() {
    isCounting = true
  }

  /// Bytes per second of each connection, from its first receipt to its last.
  var rates: [Double] {
    sinks.map { sink in
      guard let first = sink.first, sink.last > first else { return 0 }
      return Double(sink.bytes) / (sink.last - first).inSeconds
    }
  }

  private func accept() {
    while let socket = try? TCPSocket.accept(from: listener) {
      let index = sinks.count
      sinks.append(Sink(socket: socket))
      _ = try? loop.watch(socket.descriptor, for: .readable) { [unowned self] _ in take(index) }
    }
  }

  private func take(_ index: Int) {
    let outcome = room.withUnsafeMutableBytes { sinks[index].socket.read(into: $0) }
    guard isCounting, case .moved(let count) = outcome else { return }
    let now = loop.now
    sinks[index].last = now
    if sinks[index].first == nil {
      sinks[index].first = now
    } else {
      sinks[index].bytes += count
    }
  }
}
