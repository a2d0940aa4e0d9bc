package import EventLoop
package import LinkModel
package import Quantities

/// A TCP proxy that carries all its connections over one modelled link, or each over its own.
///
/// The kernel is kept out of the buffer: the listener asks for the segment size of a link and for a
/// small receive buffer, the proxy reads only what the buffer has room for, and what the kernels
/// hold for a sender counts as part of the buffer.
package final class LinkProxy {
  /// SO_RCVBUF of what clients send to: the smallest that moves whole segments without loss.
  private static let receiveBufferMin = 8_192
  /// A fast link needs more, so that it does not wait for each acknowledgement: what crosses in this
  /// time, up to a share of the buffer.
  private static let receiveSeconds = 0.001
  private static let receiveShare = 8
  /// Connections at a time, unless told otherwise; one more is reset at once.
  package static let connectionsMax = 20_000
  /// Before connections are accepted again when the system had no descriptor for one.
  private static let acceptPause = Duration.seconds(1)

  package let address: SocketAddress
  /// Connections that were refused, by the limit, by a fault or by the system.
  package private(set) var refused = 0

  package private(set) var conditions: LinkConditions
  private var target: Target
  private let loop: EventLoop
  private let connectionsMax: Int
  /// Nil once stopped: what still waits to be accepted is then reset by the system.
  private var listener: Listener?
  private let tables: SocketTables
  /// Nil when each connection has a link of its own.
  private let shared: (up: LinkDriver, down: LinkDriver)?
  private var ownLinks = 0
  private let random: SeededRandom
  private let stock = RelayStock()
  private var watch: EventLoop.Watch?
  private var connections: [ObjectIdentifier: ProxyConnection] = [:]
  private var silent: [ObjectIdentifier: SilentConnection] = [:]
  /// Connections that were opened, those that were refused too.
  private var opened = 0
  private var past = Totals()
  private var toxics: [Toxic] = []
  /// Called when the server could not be reached.
  package var couldNotReach: () -> Void = {}

  private enum Target {
    case address(SocketAddress)
    /// Connections wait to be accepted.
    case notYetKnown
    /// Connections are refused.
    case nowhere
  }

  /// What connections that have ended leave behind.
  private struct Totals {
    var up = LaneFlow()
    var down = LaneFlow()
    var lostInKernel = 0
    var retransmissions = 0
    var zeroWindowProbes = 0
    var unreached = 0
  }

  /// Listens, and passes each connection on to `target`, or to what ``connect(to:)`` tells later.
  ///
  /// What toxics leave to chance is drawn from `random`.
  /// Throws when the port cannot be had.
  ///
  /// With `isShared` all connections share the link; without it each has the whole of one.
  ///
  /// Whatever the conditions leave to chance is drawn from `random`.
  ///
  /// With `mayThrottleLater` kernels are kept small although the conditions never keep bytes waiting:
  /// other conditions are going to be put in force, and a kernel gives back nothing.
  ///
  /// The loop does not keep it: call ``stop(withReset:)`` before letting go of it.
  package init(
    _ conditions: LinkConditions, listen: SocketAddress, to target: SocketAddress?,
    loop: EventLoop, isShared: Bool = true, mayThrottleLater: Bool = false,
    connectionsMax: Int = LinkProxy.connectionsMax, random: SeededRandom = SeededRandom(seed: 0)
  ) throws(SystemFailure) {
    self.conditions = conditions
    self.target = target.map { .address($0) } ?? .notYetKnown
    self.loop = loop
    self.connectionsMax = connectionsMax
    let throttles = conditions.up.throttles || mayThrottleLater
    let listener = try Listener(
      on: listen, receiveBuffer: throttles ? Self.receiveBuffer(conditions, loop.scale) : 0,
      segment: throttles ? LinkDirection.packetBytes : 0)
    self.listener = listener
    address = listener.address
    tables = try SocketTables()
    self.random = random
    shared = isShared ? Self.link(conditions, random: random, loop: loop) : nil
    watch = try loop.watch(listener.descriptor, for: interest) { [unowned self] _ in accept() }
  }

  private static func receiveBuffer(_ conditions: LinkConditions, _ scale: TimeScale) -> Int {
    guard let rate = conditions.up.rate.fastest else { return receiveBufferMin }
    let share = Double(conditions.buffer.bytes / receiveShare)
    let crossing = rate.bytesPerSecond * scale.factor * receiveSeconds
    return max(receiveBufferMin, Int(min(share, crossing)))
  }

  private static func link(
    _ conditions: LinkConditions, random: SeededRandom, loop: EventLoop
  ) -> (up: LinkDriver, down: LinkDriver) {
    (
      LinkDriver(conditions.up, random: random.fork("up"), loop: loop),
      LinkDriver(conditions.down, random: random.fork("down"), loop: loop)
    )
  }

  private func ownLink() -> (up: LinkDriver, down: LinkDriver) {
    ownLinks += 1
    return Self.link(conditions, random: random.fork("connection \(ownLinks)"), loop: loop)
  }

  /// Puts other conditions in force, for open connections too.
  package func change(to conditions: LinkConditions) {
    self.conditions = conditions
    shared?.up.change(to: conditions.up)
    shared?.down.change(to: conditions.down)
    // A lane that has room at once may break its connection.
    for connection in Array(connections.values) {
      if shared == nil {
        connection.up.change(to: conditions.up)
        connection.down.change(to: conditions.down)
      }
      connection.up.change(buffer: conditions.buffer.bytes)
    }
  }

  private var interest: Readiness { if case .notYetKnown = target { [] } else { .readable } }

  /// Passes connections that are accepted from now on to this address; without one they are
  /// refused.
  package func connect(to target: SocketAddress?) {
    self.target = target.map { .address($0) } ?? .nowhere
    if let watch { loop.setInterest(interest, of: watch) }
  }

  /// Lays toxics on the connections that are there, and on those that come.
  package func lay(_ toxics: [Toxic]) {
    self.toxics = toxics
    // A connection that this ends is gone from the list, and order reaches nothing else.
    for connection in Array(connections.values) { connection.lay(toxics) }
  }

  /// Ends every connection, with a reset or as a server that goes down, and stops listening.
  package func stop(withReset: Bool = true) {
    if let watch { loop.unwatch(watch) }
    watch = nil
    listener = nil
    for connection in Array(connections.values) {
      if withReset { connection.reset() } else { connection.close() }
    }
    for connection in Array(silent.values) { connection.reset() }
  }

  private func accept() {
    do {
      while let listener, let client = try TCPSocket.accept(from: listener) { try carry(client) }
    } catch {
      guard let watch else { return }
      loop.setInterest([], of: watch)
      loop.schedule(at: loop.now + Self.acceptPause) { [weak self] in
        guard let self, let watch = self.watch else { return }
        loop.setInterest(interest, of: watch)
      }
    }
  }

  private func carry(_ client: TCPSocket) throws(SystemFailure) {
    guard connections.count + silent.count < connectionsMax else {
      refuse(client)
      return
    }
    opened += 1
    let faults = FaultPlan(conditions.faults, connection: opened, openedAt: loop.now)
    switch faults.opening {
    case .refused: return refuse(client)
    case .silent: return try keepSilent(client)
    case .carried: break
    }
    guard case .address(let target) = target else {
      refuse(client)
      couldNotReach()
      return
    }
    let server: TCPSocket
    do {
      server = try TCPSocket.connect(to: target)
    } catch {
      refuse(client)
      throw error
    }
    let link = shared ?? ownLink()
    let connection = ProxyConnection(
      client: client, server: server,
      sender: SenderKernelPart(of: client, acceptedOn: address, tables: tables, over: link.up),
      buffer: conditions.buffer.bytes, over: link, stock: stock,
      random: random.fork("toxics \(opened)"), loop: loop
    ) { [unowned self] in ended($0) }
    connections[ObjectIdentifier(connection)] = connection
    if !toxics.isEmpty { connection.lay(toxics) }
    do {
      try connection.start(faults)
    } catch {
      refused += 1
      connection.reset()
      throw error
    }
  }

  private func keepSilent(_ client: TCPSocket) throws(SystemFailure) {
    let connection = SilentConnection(
      client, sender: SenderKernelPart(of: client, acceptedOn: address, tables: tables, over: nil),
      buffer: conditions.buffer.bytes, stock: stock, loop: loop
    ) { [unowned self] in
      silent[ObjectIdentifier($0)] = nil
      past.up += $0.flow
      leave($0.sender, hasEnded: false)
    }
    silent[ObjectIdentifier(connection)] = connection
    do {
      try connection.start()
    } catch {
      refused += 1
      connection.reset()
      throw error
    }
  }

  /// Closes with a reset, since an end of stream would be an answer.
  private func refuse(_ client: TCPSocket) {
    refused += 1
    client.resetOnClose()
  }

  private func ended(_ connection: ProxyConnection) {
    connections[ObjectIdentifier(connection)] = nil
    if !connection.hasReachedServer {
      past.unreached += 1
      couldNotReach()
    }
    past.up += connection.up.flow
    past.down += connection.down.flow
    leave(connection.sender, hasEnded: connection.up.sourceHasEnded)
  }

  /// Counts what a client's kernel had of a connection that has ended.
  private func leave(_ sender: SenderKernelPart, hasEnded: Bool) {
    // After the end of its stream it holds nothing that was not read.
    if !hasEnded { past.lostInKernel += sender.held }
    past.retransmissions += sender.retransmissions
    past.zeroWindowProbes += sender.zeroWindowProbes
  }
}

extension LinkProxy {
  /// What has become of the bytes of all its connections.
  package var flow: (up: LaneFlow, down: LaneFlow) {
    // Sums: the order in which connections are visited does not matter.
    connections.values.reduce(into: (up: past.up, down: past.down)) { sum, connection in
      sum.up += connection.up.flow
      sum.down += connection.down.flow
    }
  }

  package var connectionCount: Int { connections.count }

  /// Asks the kernel about each connection, so it costs some microseconds for each.
  package func read() -> Reading {
    var reading = Reading(
      up: past.up, down: past.down, handedOver: past.lostInKernel,
      lostInKernel: past.lostInKernel, propagating: 0, isFull: false, holding: 0,
      upRate: shared?.up.rateMeter.bytesPerSecond,
      downRate: shared?.down.rateMeter.bytesPerSecond,
      connections: connections.count + silent.count, retransmissions: past.retransmissions,
      zeroWindowProbes: past.zeroWindowProbes)
    reading.upPeriods = shared?.up.rateMeter.periods ?? 0
    reading.downPeriods = shared?.down.rateMeter.periods ?? 0
    reading.upAsked = shared?.up.rateMeter.askedBytesPerSecond
    reading.downAsked = shared?.down.rateMeter.askedBytesPerSecond
    reading.refused = refused
    reading.unreached = past.unreached
    // Sums: the order in which connections are visited does not matter.
    for connection in connections.values {
      reading.handedOver += connection.sender.measure(takenIn: connection.up.flow.takenIn)
      reading.up += connection.up.flow
      reading.down += connection.down.flow
      reading.propagating += connection.up.propagating
      reading.isFull = reading.isFull || connection.up.keepsWaiting
      if connection.up.flow.queued > 0 { reading.holding += 1 }
      reading.retransmissions += connection.sender.retransmissions
      reading.zeroWindowProbes += connection.sender.zeroWindowProbes
    }
    for connection in silent.values {
      reading.handedOver += connection.sender.measure(takenIn: connection.flow.takenIn)
      reading.up += connection.flow
      if connection.flow.queued > 0 { reading.holding += 1 }
    }
    reading.handedOver += reading.up.takenIn
    return reading
  }
}
