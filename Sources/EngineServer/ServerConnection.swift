import EventLoop
import Quantities
import ScratchEngine

/// One connection of the engine on a socket: moves the bytes, and does what its
/// `EngineConnection` says.
///
/// Through TLS the engine counts the bytes that TLS carries, not the records around them.
final class ServerConnection {
  /// A large body comes in few large pieces; what is not filled is never touched.
  private static let readSize = 262_144

  /// A client that says nothing must not hold its connection for ever, and a handshake is two round
  /// trips.
  private static let handshakeMax = Duration.seconds(10)

  private let socket: any StreamSocket
  private unowned let server: ScratchServer
  private var connection: EngineConnection
  var id: ConnectionID { connection.id }
  private var output: ArraySlice<UInt8> = []
  private var timer: EventLoop.TimerID?
  /// Until TLS is established.
  private var handshakeTimer: EventLoop.TimerID?
  private var watch: EventLoop.Watch?
  private var hasEnded = false

  init(_ socket: any StreamSocket, server: ScratchServer) {
    self.socket = socket
    self.server = server
    connection = EngineConnection(in: &server.engine, at: server.loop.now)
  }

  func start() throws(SystemFailure) {
    watch = try server.loop.watch(socket.descriptor, for: .readable) { [unowned self] ready in
      act(on: ready)
    }
    defer { server.tell() }
    perform(connection.opened(in: &server.engine, at: server.loop.now))
    limitHandshake()
  }

  /// From when it is read, which the script may put off.
  private func limitHandshake() {
    guard !hasEnded, handshakeTimer == nil, !socket.isEstablished, connection.takesRequests else {
      return
    }
    handshakeTimer = server.loop.schedule(at: server.loop.now + Self.handshakeMax) {
      [unowned self] in handshakeTookTooLong()
    }
  }

  private func handshakeTookTooLong() {
    defer { server.tell() }
    handshakeTimer = nil
    let fault = "TLS: the handshake was not over after \(Self.handshakeMax.text)"
    server.engine.connectionFaulted(fault, on: connection.id)
    end(.closed)
  }

  /// Apart from the handler, since the connection may end within, and nothing else holds it then.
  private func act(on ready: Readiness) {
    defer { server.tell() }
    let reading = socket.readsWhen.union([.failed, .hungUp])
    if !ready.isDisjoint(with: socket.writesWhen) { write() }
    // A broken connection may still hold bytes that were received: they are read first.
    if !hasEnded, !ready.isDisjoint(with: reading) {
      read()
    } else if !hasEnded, ready.contains(.peerEnded) {
      end(.closed)
    }
  }

  func end(_ how: ConnectionEnd) {
    guard !hasEnded else { return }
    hasEnded = true
    if let watch { server.loop.unwatch(watch) }
    for timer in [timer, handshakeTimer] {
      if let timer { server.loop.cancel(timer) }
    }
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
    if let timer = handshakeTimer, socket.isEstablished {
      server.loop.cancel(timer)
      handshakeTimer = nil
    }
    switch outcome {
    case .moved(let count):
      server.engine.wireReceived(count, on: connection.id)
      perform(connection.received(bytes, in: &server.engine, at: server.loop.now))
    case .wouldBlock: updateInterest()
    case .ended:
      // To a client that only ended its own direction, this is where the answers end.
      socket.endSending()
      end(.closed)
    case .broken:
      if let fault = socket.fault { server.engine.connectionFaulted(fault, on: connection.id) }
      end(socket.fault == nil ? .reset : .closed)
    }
  }

  private func perform(_ actions: [EngineConnection.Action]) {
    for action in actions where !hasEnded {
      switch action {
      case .send(let bytes):
        output += bytes
        write()
      case .wake(let instant):
        if let timer { server.loop.cancel(timer) }
        timer = server.loop.schedule(at: instant) { [unowned self] in wake() }
      case .endSending: socket.endSending()
      case .close: end(.closed)
      case .reset:
        socket.resetOnClose()
        end(.reset)
      }
    }
    updateInterest()
    server.spreadNews()
  }

  /// Its answer goes on, and there may be more of it.
  func tell() {
    perform(connection.told(in: &server.engine, at: server.loop.now))
  }

  private func wake() {
    defer { server.tell() }
    timer = nil
    perform(connection.woken(in: &server.engine, at: server.loop.now))
    limitHandshake()
  }

  private func write() {
    guard !output.isEmpty else {
      socket.flush()
      updateInterest()
      return
    }
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
      interest.formUnion(socket.readsWhen)
    } else if connection.seesEnd {
      interest.insert(.peerEnded)
    }
    if !output.isEmpty || socket.owesBytes { interest.formUnion(socket.writesWhen) }
    server.loop.setInterest(interest, of: watch)
  }
}
