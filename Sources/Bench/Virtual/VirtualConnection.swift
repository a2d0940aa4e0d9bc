import LinkModel
import Quantities
import ScratchEngine

/// One connection between the client and the engine over the simulated link, both ends of it.
final class VirtualConnection {
  /// What the kernels between path and engine, and the path's own end, hold of an engine that has
  /// stopped reading, before nothing leaves the link any more: 92 to 124 KB were measured of the
  /// real ones.
  private static let unreadMax = 100_000

  let up: VirtualLane
  let down: VirtualLane
  /// The request that it carries now.
  var exchange: VirtualExchange?
  /// It has carried a request before.
  var isReused = false
  private unowned let network: VirtualNetwork
  private let time: VirtualTime
  /// Made only when the connection reaches the engine.
  private lazy var engineSide = EngineConnection(in: &network.engine, at: time.now)
  /// Nil when the engine has nothing to do with it, or no more.
  var id: ConnectionID? { engineHasEnded ? nil : engineSide.id }
  /// Bytes that wait until the engine reads on.
  private var unread: [UInt8] = []
  private var engineHasEnded = false
  private var timer: VirtualTime.TimerID?
  private(set) var clientHasClosed = false
  private var faults: VirtualFaults?
  /// Neither end is told anything any more.
  private var isSilent = false

  /// `kernel` is what the client's own kernel holds of the capacity, when it is full.
  init(_ network: VirtualNetwork, capacity: Int, kernel: Int, faults plan: FaultPlan) {
    self.network = network
    time = network.time
    up = VirtualLane(over: network.up, capacity: capacity, kernel: kernel)
    // What the engine's kernel holds and what the path does cannot be told apart from outside.
    down = VirtualLane(over: network.down, capacity: .max, kernel: 0)
    // A kernel answers data for a socket that is closed with a reset (RFC 9293 section 3.6.1).
    for lane in [up, down] {
      lane.refused = { [unowned self] in reset() }
      lane.drained = { [unowned self] in endIfDone() }
    }
    up.isTaken = { [unowned self] in !engineHasEnded }
    down.isTaken = { [unowned self] in !clientHasClosed }
    up.deliver = { [unowned self] in engineReceived($0) }
    up.ended = { [unowned self] in readByEngine() }
    up.hasRoom = { [unowned self] in exchange?.feed() }
    down.deliver = { [unowned self] in exchange?.received($0) }
    down.ended = { [unowned self] in clientSawEnd() }
    guard plan.opening == .carried else {
      (isSilent, engineHasEnded) = (true, true)
      up.allow(0)
      return
    }
    _ = engineSide
    if !plan.isEmpty { faults = VirtualFaults(plan, on: self, time: time) }
  }

  /// The engine has accepted it.
  func open() {
    guard !engineHasEnded else { return }
    let actions = engineSide.opened(in: &network.engine, at: time.now)
    guard !actions.isEmpty else { return }
    // The client has to have it before it can be told of its end.
    let here = OnVirtualThread(self)
    time.at(time.now) { here.part.perform(actions) }
  }

  func lane(_ side: LinkSide) -> VirtualLane { side == .up ? up : down }

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
    }
  }

  // MARK: The client's end

  /// A plain close, as of a killed process too: the kernels deliver what they have taken, and the
  /// end of the stream behind it.
  func closeByClient() {
    guard !clientHasClosed else { return }
    clientHasClosed = true
    exchange = nil
    network.closed(self)
    if isSilent { return reset() }
    up.offerEnd()
    endIfDone()
  }

  /// The client's device is off: what the path has taken in goes on, and then nothing comes, neither
  /// an end nor a reset; what is sent to it is lost.
  func fallSilent() {
    guard !clientHasClosed else { return }
    clientHasClosed = true
    exchange = nil
    network.closed(self)
    down.isTaken = { true }
  }

  /// What has not crossed is dropped, and both ends see a reset at once.
  func reset() {
    faults?.stop()
    up.discard()
    down.discard()
    if !engineHasEnded { endEngine(.reset) }
    let cut = exchange
    exchange = nil
    clientHasClosed = true
    network.closed(self)
    network.ended(self)
    cut?.connectionBroke("Recv failure: Connection reset by peer")
  }

  private func clientSawEnd() {
    if let exchange {
      exchange.connectionEnded()
    } else {
      closeByClient()
    }
    endIfDone()
  }

  private func endIfDone() {
    guard up.isDone, down.isDone else { return }
    faults?.stop()
    network.ended(self)
  }

  // MARK: The engine's end

  /// Counts what the engine has not read, as if the connection ended now.
  func leave(in engine: inout Engine) {
    if !engineHasEnded { engineSide.leave(unread: unread.count, in: &engine, at: time.now) }
  }

  private func engineReceived(_ bytes: [UInt8]) {
    unread += bytes
    readByEngine()
    up.isHeld = unread.count > Self.unreadMax
  }

  /// Hands over what has come, and the end of it, as far as the engine reads.
  private func readByEngine() {
    while !engineHasEnded, engineSide.reads, !unread.isEmpty {
      let bytes = unread
      unread = []
      network.engine.wireReceived(bytes.count, on: engineSide.id)
      perform(engineSide.received(bytes, in: &network.engine, at: time.now))
    }
    if !engineHasEnded, up.hasEnded, engineSide.seesEnd { endEngine(.closed) }
    endIfDone()
  }

  private func perform(_ actions: [EngineConnection.Action]) {
    for action in actions where !engineHasEnded {
      switch action {
      case .send(let bytes):
        network.engine.wireSent(bytes.count, on: engineSide.id)
        down.offer(bytes[...])
        // The answer has its time and its order before anything that it brings about.
        perform(engineSide.sent(in: &network.engine, at: time.now))
      case .wake(let instant):
        if let timer { time.cancel(timer) }
        let here = OnVirtualThread(self)
        timer = time.at(instant) {
          let connection = here.part
          connection.timer = nil
          connection.perform(
            connection.engineSide.woken(in: &connection.network.engine, at: connection.time.now))
          connection.readByEngine()
          if connection.unread.isEmpty { connection.up.isHeld = false }
        }
      case .endSending: down.offerEnd()
      case .close: endEngine(.closed)
      case .reset: resetByEngine()
      }
    }
    network.spreadNews()
  }

  /// Its answer goes on, and there may be more of it.
  func tell() {
    guard !engineHasEnded else { return }
    perform(engineSide.told(in: &network.engine, at: time.now))
  }

  private func endEngine(_ how: ConnectionEnd) {
    engineHasEnded = true
    if let timer { time.cancel(timer) }
    engineSide.ended(how, unread: unread.count, in: &network.engine, at: time.now)
    guard how == .closed else { return }
    if unread.isEmpty {
      down.offerEnd()
    } else {
      // A close with unread bytes becomes a reset (RFC 9112 section 9.6).
      resetByEngine()
    }
  }

  /// The client is not told of it once the connection is silent.
  private func resetByEngine() {
    if !isSilent { return reset() }
    if !engineHasEnded { endEngine(.reset) }
  }
}
