import Captures
import EngineServer
import LinkModel
import Quantities
import ScratchEngine
import ThrottlingProxy
import Uploads

/// The simulated link with the engine behind it, and the connections of one client at a time.
///
/// It stands for the proxy and for the kernels: connecting costs no round trip and always succeeds,
/// since a kernel accepts before the proxy does; what the path takes in of a connection is bounded
/// by the declared buffer, or by the client's own send buffer where that is larger.
final class VirtualNetwork {
  /// As many as the transport over libcurl keeps.
  private static let connectionsKept = 4
  /// A kernel holds so many times the send buffer that was asked for: measured, 45 KB for 32 KB and
  /// 90 KB for 64 KB.
  private static let kernelShare = 1.4
  /// The least that the proxy holds of a connection itself.
  private static let ownPartMin = 4 * LinkDirection.packetBytes

  let time: VirtualTime
  let up: VirtualDirection
  let down: VirtualDirection
  var engine: Engine
  var handingOver: HandingOver
  private let conditions: LinkConditions
  private var connections: [VirtualConnection] = []
  /// Connections so far, those that were refused too.
  private var opened = 0
  /// Without a request, oldest first.
  private var idle: [VirtualConnection] = []
  private var exchanges: [VirtualExchange] = []
  /// Of connections that are over.
  private var pastUp = LaneFlow()
  private var pastDown = LaneFlow()

  init(
    _ conditions: LinkConditions, engine: Engine, random: SeededRandom, time: VirtualTime
  ) {
    self.engine = engine
    handingOver = HandingOver(random: random.fork("handing over"))
    self.conditions = conditions
    self.time = time
    up = VirtualDirection(conditions.up, random: random.fork("up"), time: time)
    down = VirtualDirection(conditions.down, random: random.fork("down"), time: time)
  }

  // MARK: For exchanges

  func begin(_ exchange: VirtualExchange) {
    exchanges.append(exchange)
    let here = OnVirtualThread(exchange)
    time.at(time.now) { here.part.start() }
  }

  func over(_ exchange: VirtualExchange) {
    exchanges.removeAll { $0 === exchange }
  }

  /// The kept connection that is the oldest, or a fresh one.
  func connect(sendBuffer: Int, fresh: Bool) -> VirtualConnection {
    if !fresh, !idle.isEmpty { return idle.removeFirst() }
    opened += 1
    let faults = FaultPlan(conditions.faults, connection: opened, openedAt: time.now)
    let kernel = Int(Double(sendBuffer) * Self.kernelShare)
    let connection = VirtualConnection(
      self, capacity: max(conditions.buffer.bytes, kernel + Self.ownPartMin), kernel: kernel,
      faults: faults)
    connections.append(connection)
    if faults.opening == .refused {
      let here = OnVirtualThread(connection)
      time.at(time.now) { here.part.reset() }
    } else {
      connection.open()
    }
    return connection
  }

  func keep(_ connection: VirtualConnection) {
    guard !connection.clientHasClosed else { return }
    idle.append(connection)
    if idle.count > Self.connectionsKept { idle.removeFirst().closeByClient() }
  }

  // MARK: For connections

  /// Tells the connections for which the engine has something new.
  func spreadNews() {
    for id in engine.takeNews() { connections.first { $0.id == id }?.tell() }
  }

  func closed(_ connection: VirtualConnection) {
    idle.removeAll { $0 === connection }
  }

  func ended(_ connection: VirtualConnection) {
    guard let place = connections.firstIndex(where: { $0 === connection }) else { return }
    connections.remove(at: place)
    connection.up.discard()
    connection.down.discard()
    pastUp += connection.up.flow
    pastDown += connection.down.flow
  }

  // MARK: For the bench

  /// The client's process is gone: its kernel closes what it had open, and goes on delivering.
  func abandon() {
    for exchange in exchanges { exchange.vanish() }
    exchanges = []
    for connection in connections { connection.closeByClient() }
  }

  /// The client's device has lost its power: its connections fall silent.
  func fallSilent() {
    for connection in connections { connection.fallSilent() }
  }

  /// Ends every connection with a reset.
  func stop() {
    for connection in connections { connection.reset() }
  }

  /// The ledger with what has come and is not read, which has crossed the link all the same.
  var ledger: Ledger {
    var engine = engine
    for connection in connections { connection.leave(in: &engine) }
    return engine.ledger
  }

  func read() -> LinkProxy.Reading {
    var (up, down) = (pastUp, pastDown)
    var (propagating, holding) = (0, 0)
    for connection in connections {
      up += connection.up.flow
      down += connection.down.flow
      propagating += connection.up.propagating
      if connection.up.flow.queued > 0 { holding += 1 }
    }
    var reading = LinkProxy.Reading(
      up: up, down: down, propagating: propagating, isFull: exchanges.contains(where: \.isWaiting),
      holding: holding, upRate: self.up.rateMeter.bytesPerSecond,
      downRate: self.down.rateMeter.bytesPerSecond,
      connections: connections.count)
    reading.upAsked = self.up.rateMeter.askedBytesPerSecond
    reading.downAsked = self.down.rateMeter.askedBytesPerSecond
    return reading
  }
}
