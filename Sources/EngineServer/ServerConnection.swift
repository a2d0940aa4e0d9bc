import EventLoop
import Quantities
import ScratchEngine

/// One connection of the engine on a socket: moves the bytes, and does what its
/// `EngineConnection` says.
final class ServerConnection {
  private static let readSize = 65_536

  private let socket: TCPSocket
  private unowned let server: ScratchServer
  private var connection: EngineConnection
  private var output: ArraySlice<UInt8> = []
  private var timer: EventLoop.TimerID?
  private var watch: EventLoop.Watch?
  private var hasEnded = false

  init(_ socket: TCPSocket, server: ScratchServer) {
    self.socket = socket
    self.server = server
    connection = EngineConnection(in: &server.engine, at: server.loop.now)
  }

  func start() throws(SystemFailure) {
    watch = try server.loop.watch(socket.descriptor, for: .readable) { [unowned self] ready in
      act(on: ready)
    }
  }

  /// Apart from the handler, since the connection may end within, and nothing else holds it then.
  private func act(on ready: Readiness) {
    if ready.contains(.writable) { write() }
    // A broken connection may still hold bytes that were received: they are read first.
    if !hasEnded, !ready.isDisjoint(with: [.readable, .failed, .hungUp]) {
      read()
    } else if !hasEnded, ready.contains(.peerEnded) {
      end(.closed)
    }
  }

  func end(_ how: ConnectionEnd) {
    guard !hasEnded else { return }
    hasEnded = true
    if let watch { server.loop.unwatch(watch) }
    if let timer { server.loop.cancel(timer) }
    connection.ended(
      how, unread: socket.unread, in: &server.engine, at: server.loop.now)
    server.ended(self)
  }

  var isHeldBack: Bool { connection.isHeldBack }

  /// Counts what the kernel holds of it, as if it ended now.
  func leave(in engine: inout Engine) {
    connection.leave(unread: socket.unread, in: &engine, at: server.loop.now)
  }

  private func read() {
    var outcome = TCPSocket.Outcome.wouldBlock
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
      outcome = socket.read(into: UnsafeMutableRawBufferPointer(buffer))
      if case .moved(let moved) = outcome { count = moved }
    }
    switch outcome {
    case .moved(let count):
      server.engine.wireReceived(count, on: connection.id)
      perform(connection.received(bytes, in: &server.engine, at: server.loop.now))
    case .wouldBlock: break
    case .ended: end(.closed)
    case .broken: end(.reset)
    }
  }

  private func perform(_ actions: [EngineConnection.Action]) {
    for action in actions where !hasEnded {
      switch action {
      case .send(let bytes):
        output += bytes
        write()
      case .wake(let instant):
        timer = server.loop.schedule(at: instant) { [unowned self] in wake() }
      case .endSending: socket.endSending()
      case .close: end(.closed)
      case .reset:
        socket.resetOnClose()
        end(.reset)
      }
    }
    updateInterest()
  }

  private func wake() {
    timer = nil
    perform(connection.woken(in: &server.engine, at: server.loop.now))
  }

  private func write() {
    guard !output.isEmpty else { return }
    while !output.isEmpty {
      switch output.withUnsafeBytes({ socket.write($0) }) {
      case .moved(let count):
        output = output.dropFirst(count)
        server.engine.wireSent(count, on: connection.id)
      case .broken:
        end(.reset)
        return
      case .wouldBlock, .ended:
        updateInterest()
        return
      }
    }
    perform(connection.sent(in: &server.engine, at: server.loop.now))
  }

  private func updateInterest() {
    guard !hasEnded, let watch else { return }
    var interest: Readiness = []
    if connection.reads {
      interest.insert(.readable)
    } else if connection.seesEnd {
      interest.insert(.peerEnded)
    }
    if !output.isEmpty { interest.insert(.writable) }
    server.loop.setInterest(interest, of: watch)
  }
}
