package import EventLoop
import LinkModel
import Quantities

/// The control API on a TCP port, with the proxies that it controls.
package final class ControlServer {
  package let address: SocketAddress
  var api: ControlAPI
  let loop: EventLoop

  private let proxies: ControlledProxies
  private var listener: Listener?
  private var watch: EventLoop.Watch?
  private var clients: [ObjectIdentifier: ControlConnection] = [:]

  /// Before connections are accepted again when the system had no descriptor for one.
  private static let acceptPause = Duration.seconds(1)

  /// Listens for clients of the API; `seed` draws what toxics leave to chance.
  ///
  /// Throws when the port cannot be had. The loop does not keep it: call ``stop()`` before letting
  /// go of it.
  package init(listen: SocketAddress, loop: EventLoop, seed: UInt64 = 0) throws(SystemFailure) {
    self.loop = loop
    let listener = try Listener(on: listen)
    self.listener = listener
    address = listener.address
    proxies = ControlledProxies(loop: loop, random: SeededRandom(seed: seed))
    api = ControlAPI(ProxyRegistry(host: proxies), isLocal: listen.isLoopback)
    watch = try loop.watch(listener.descriptor, for: .readable) { [unowned self] _ in accept() }
  }

  /// Starts a proxy that is there from the beginning; returns where it listens.
  package func add(_ record: ProxyRecord) throws(ControlRefusal) -> SocketAddress {
    try api.add(record)
  }

  /// Starts the proxies of a file: a list as `POST /populate` takes it.
  package func populate(_ list: [UInt8]) throws(ControlRefusal) {
    try api.populate(list)
  }

  /// Clients of the API that are connected.
  package var clientCount: Int { clients.count }

  /// Connections of all proxies, and what they have carried.
  package var reading: (proxies: Int, connections: Int, flow: (up: LaneFlow, down: LaneFlow)) {
    var sum = (up: LaneFlow(), down: LaneFlow())
    for record in api.registry.records {
      guard let flow = proxies.flow(of: record.name) else { continue }
      sum.up += flow.up
      sum.down += flow.down
    }
    return (api.registry.records.count, proxies.connections, sum)
  }

  /// Ends every connection, and stops listening.
  package func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
    listener = nil
    for client in Array(clients.values) { client.end() }
    proxies.stopAll()
  }

  private func accept() {
    do {
      while let listener, let socket = try TCPSocket.accept(from: listener) {
        if clients.count >= ControlLimits.connections { endQuietest() }
        let client = ControlConnection(socket, server: self)
        clients[ObjectIdentifier(client)] = client
        do {
          try client.start()
        } catch {
          client.end()
        }
      }
    } catch {
      guard let watch else { return }
      loop.setInterest([], of: watch)
      loop.schedule(at: loop.now + Self.acceptPause) { [weak self] in
        guard let self, let watch = self.watch else { return }
        loop.setInterest(.readable, of: watch)
      }
    }
  }

  /// Gives the place of the client that has said nothing for the longest to the one that comes.
  private func endQuietest() {
    clients.values.min { $0.heardAt < $1.heardAt }?.end()
  }

  func ended(_ client: ControlConnection) {
    clients[ObjectIdentifier(client)] = nil
  }
}
