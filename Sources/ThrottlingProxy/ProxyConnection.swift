import EventLoop
import LinkModel
import Quantities

/// One client's connection, the connection to the server that was made for it, and the two lanes
/// between them.
final class ProxyConnection {
  private let client: Endpoint
  private let server: Endpoint
  private let loop: EventLoop
  /// Draws which toxics this connection has.
  private let random: SeededRandom
  let up: ProxyLane
  let down: ProxyLane
  let sender: SenderKernelPart
  private var isConnected = false
  /// False only when connecting to the server failed; a client that left meanwhile tells nothing.
  private(set) var hasReachedServer = true
  private var ended: ((ProxyConnection) -> Void)?
  private var faults: FaultDriver?
  /// Neither end is told anything any more.
  private var isSilent = false

  init(
    client: TCPSocket, server: TCPSocket, sender: SenderKernelPart, buffer: Int,
    over link: (up: LinkDriver, down: LinkDriver), stock: RelayStock,
    random: SeededRandom, loop: EventLoop,
    ended: @escaping (ProxyConnection) -> Void
  ) {
    self.client = Endpoint(client, loop: loop)
    self.server = Endpoint(server, loop: loop)
    self.loop = loop
    self.random = random
    self.sender = sender
    self.ended = ended
    up = ProxyLane(
      from: self.client, to: self.server, over: link.up,
      gate: IntakeGate(buffer: buffer, sender: sender), stock: stock)
    // The buffer is declared for what the client sends; answers get the default.
    down = ProxyLane(
      from: self.server, to: self.client, over: link.down,
      gate: IntakeGate(buffer: LinkConditions.defaultBuffer.bytes, sender: nil), stock: stock)
  }

  func lane(_ side: LinkSide) -> ProxyLane { side == .up ? up : down }

  /// With the faults of its plan.
  func start(_ plan: FaultPlan) throws(SystemFailure) {
    if !plan.isEmpty {
      faults = FaultDriver(plan, on: self, loop: loop)
      faults?.start()
    }
    up.broke = { [unowned self] in reset() }
    down.broke = { [unowned self] in serverBroke() }
    for lane in [up, down] {
      lane.finished = { [unowned self] in if up.isDone, down.isDone { end(withReset: false) } }
    }
    server.wantsToWrite = true
    try server.start { [unowned self] ready in serverIsReady(ready) }
    try client.start { [unowned self] ready in clientIsReady(ready) }
  }

  private func clientIsReady(_ ready: Readiness) {
    if ready.contains(.failed) || isSilent && ready.contains(.peerEnded) {
      reset()
      return
    }
    if ready.contains(.writable) { down.writeSink() }
    if ready.contains(.readable) { up.readSource() }
    if ready.contains(.hungUp) { client.suspendUnlessReading() }
  }

  private func serverIsReady(_ ready: Readiness) {
    if ready.contains(.failed) {
      hasReachedServer = isConnected
      serverBroke()
      return
    }
    if !isConnected {
      guard ready.contains(.writable) else { return }
      isConnected = true
      server.wantsToWrite = false
      server.wantsToRead = true
      client.wantsToRead = true
      return
    }
    if ready.contains(.writable) { up.writeSink() }
    if ready.contains(.readable) { down.readSource() }
    if ready.contains(.hungUp) { server.suspendUnlessReading() }
  }

  /// One side has reset, or cannot be reached: what has not crossed is dropped, and the other side
  /// gets a reset at once.
  func reset() {
    guard ended != nil else { return }
    client.socket.resetOnClose()
    server.socket.resetOnClose()
    end(withReset: true)
  }

  /// The client is not told of it once the connection is silent.
  private func serverBroke() {
    if isSilent { server.stop() } else { reset() }
  }

  /// Lets so many more bytes of a side leave, and no others for now; nil is any number.
  func allow(_ bytes: Int?, _ side: LinkSide) {
    if side == .up { sender.isKeptWaiting = bytes == 0 }
    lane(side).allow(bytes)
  }

  /// Cuts the connection where it comes out of the link.
  func cut(_ way: ConnectionCut) {
    switch way {
    case .reset: reset()
    case .end:
      up.discardRest()
      down.discardRest()
    case .silence:
      isSilent = true
      up.stand()
      down.stand()
      // A client that ended its side before still waits.
      client.wantsPeerEnd = !up.sourceHasEnded
    }
  }

  /// Both sides are told that nothing follows; what has not crossed is dropped.
  func close() {
    guard ended != nil else { return }
    // Bytes that were not read would make a reset of it, which takes away what was handed on.
    client.socket.discardUnread()
    server.socket.discardUnread()
    end(withReset: false)
  }

  /// Lays toxics on both directions.
  func lay(_ toxics: [Toxic]) {
    for (lane, stream) in [(up, Toxic.Stream.upstream), (down, .downstream)] {
      let own = toxics.filter { $0.stream == stream }
      lane.lay(own) { lane in
        ToxicLane(
          own, random: random.fork(stream.rawValue), on: lane, loop: loop,
          ending: ToxicLane.Ending(
            close: { [unowned self] in close() }, reset: { [unowned self] in reset() }))
      }
    }
  }

  private func end(withReset: Bool) {
    guard let ended else { return }
    self.ended = nil
    faults?.stop()
    client.stop()
    server.stop()
    up.discard(withReset: withReset)
    down.discard(withReset: withReset)
    ended(self)
  }
}
