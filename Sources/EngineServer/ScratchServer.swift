import Captures
package import EventLoop
package import Quantities
package import ScratchEngine

/// The engine on a TCP port, in the open or through TLS: takes connections, and lets the pure engine
/// decide on every byte.
package final class ScratchServer {
  package let address: SocketAddress
  /// What the engine knows; its ledger is the referee.
  package internal(set) var engine: Engine

  /// Told of each request and connection of the ledger once nothing more can happen to it.
  ///
  /// The ledger forgets it then, so that an engine runs for ever; without this it keeps all.
  package var onEntry: ((LedgerEntry, Ledger) -> Void)?

  package var connectionCount: Int { connections.count }

  /// Before connections are accepted again when the system had no descriptor for one.
  private static let acceptPause = Duration.seconds(1)

  /// What kernels may hold of a connection before the engine has read it.
  ///
  /// An engine that stops reading has to be felt at the client, and not disappear in kernels: on
  /// this machine's loopback interface they would hold 4.3 MB between two processes. A small receive
  /// buffer bounds ours, and the segments of a real link bound the sender's, which the kernel sizes
  /// by them. That costs half of the speed, and an engine that always reads on needs none of it.
  package enum KernelRoom {
    case little, any

    /// SO_RCVBUF of a connection; 0 leaves the system's.
    fileprivate var receiveBuffer: Int { self == .little ? 65_536 : 0 }
    /// The segments that its peer is asked for; 0 leaves the system's.
    fileprivate var segment: Int { self == .little ? 1_460 : 0 }
  }

  let loop: EventLoop
  private let tls: TLSServer?
  /// Nil once it has stopped: the kernel would go on making connections.
  private var listener: Listener?
  private var watch: EventLoop.Watch?
  private var connections: [ConnectionID: ServerConnection] = [:]

  /// Starts listening; with `tls`, every connection is one of HTTPS, and without `digest` receipts
  /// have none.
  ///
  /// What the script leaves to chance is drawn from `random`.
  /// Throws when the port cannot be had.
  package init(
    script: EngineScript, listen: SocketAddress, clock: WallClock = WallClock(),
    digest: DigestMaker? = { SHA256Digest() }, kernelRoom: KernelRoom = .little,
    tls: TLSServer? = nil, random: SeededRandom = SeededRandom(seed: 0), loop: EventLoop
  ) throws(SystemFailure) {
    self.loop = loop
    self.tls = tls
    engine = Engine(
      script: script, clock: clock, photos: JPEGReader(), random: random, digest: digest)
    let listener = try Listener(
      on: listen, receiveBuffer: kernelRoom.receiveBuffer, segment: kernelRoom.segment)
    self.listener = listener
    address = listener.address
    watch = try loop.watch(listener.descriptor, for: .readable) { [unowned self] _ in accept() }
  }

  /// Takes back what the folder holds, and keeps there what is stored from now on; to be called
  /// before the loop runs.
  package func keepStore(in folder: StoreFolder) throws(StoreFolder.Failure) {
    try folder.restore(into: &engine)
    engine.keeper = folder
  }

  /// The script keeps it from reading a connection, so that more waits on the way than the link
  /// takes in.
  package var isHoldingBack: Bool { connections.values.contains(where: \.isHeldBack) }

  /// The ledger with what has come and is not read, which has crossed the link all the same.
  package var ledger: Ledger {
    var engine = engine
    // Sums of counts of their own: the order of the connections says nothing.
    for connection in connections.values { connection.leave(in: &engine) }
    return engine.ledger
  }

  /// Stops listening, and ends every connection.
  package func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    listener = nil
    for connection in Array(connections.values) { connection.end(.closed) }
    tell()
    // Its folder is free for another engine.
    engine.keeper = nil
  }

  private func accept() {
    guard let listener else { return }
    do {
      while let accepted = try TCPSocket.accept(from: listener) {
        guard let socket = stream(on: accepted) else { continue }
        let connection = ServerConnection(socket, server: self)
        connections[connection.id] = connection
        do {
          try connection.start()
        } catch {
          connection.end(.closed)
        }
      }
    } catch {
      // Out of descriptors: those that wait stay in the listener's queue until one is free.
      guard let watch else { return }
      loop.setInterest([], of: watch)
      loop.schedule(at: loop.now + Self.acceptPause) { [weak self] in
        if let self, let watch = self.watch { loop.setInterest(.readable, of: watch) }
      }
    }
  }

  /// Nil without memory for it: then the connection is closed.
  private func stream(on socket: TCPSocket) -> (any StreamSocket)? {
    guard let tls else { return socket }
    return SecureSocket(socket, of: tls)
  }

  /// To be called whenever the engine has had something to decide.
  func tell() {
    guard let onEntry, !engine.ledger.over.isEmpty else { return }
    for entry in engine.ledger.over { onEntry(entry, engine.ledger) }
    engine.forgetOver()
  }

  /// Tells the connections for which the engine has something new.
  func spreadNews() {
    for id in engine.takeNews() { connections[id]?.tell() }
  }

  func ended(_ connection: ServerConnection) {
    connections[connection.id] = nil
  }
}

extension SHA256Digest: BodyDigest {}
