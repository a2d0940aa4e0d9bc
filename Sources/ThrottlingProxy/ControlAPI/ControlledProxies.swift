import EventLoop
import LinkModel
import Quantities

/// The proxies of the control API on sockets.
final class ControlledProxies: ProxyHost {
  private struct Running {
    var proxy: LinkProxy
    /// The name of its server, while it is being looked up.
    var lookup: NameLookup?
  }

  private var running: [String: Running] = [:]
  private let loop: EventLoop
  private let random: SeededRandom

  init(loop: EventLoop, random: SeededRandom) {
    self.loop = loop
    self.random = random
  }

  func start(_ record: ProxyRecord) throws(SystemFailure) -> SocketAddress {
    let upstream = Upstream(record.upstream)
    var target: SocketAddress?
    if case .address(let address) = upstream { target = address }
    let proxy = try LinkProxy(
      record.link, listen: record.listen, to: target, loop: loop,
      random: random.fork(record.name))
    proxy.lay(record.toxics)
    running[record.name] = Running(proxy: proxy)
    switch upstream {
    case .address: break
    case .name(let host, let port):
      lookUp(host, port, for: record.name)
      // The server may have come back with another address.
      proxy.couldNotReach = { [unowned self] in lookUp(host, port, for: record.name) }
    case .unreadable: proxy.connect(to: nil)
    }
    return proxy.address
  }

  func stop(_ name: String) {
    running.removeValue(forKey: name)?.proxy.stop(withReset: false)
  }

  func stopAll() {
    for name in running.keys.sorted() { stop(name) }
  }

  func setToxics(_ toxics: [Toxic], of name: String) {
    running[name]?.proxy.lay(toxics)
  }

  func flow(of name: String) -> (up: LaneFlow, down: LaneFlow)? {
    running[name].map { $0.proxy.flow }
  }

  var connections: Int { running.values.reduce(0) { $0 + $1.proxy.connectionCount } }

  /// One lookup of a proxy at a time.
  private func lookUp(_ host: String, _ port: UInt16, for name: String) {
    guard let proxy = running[name]?.proxy, running[name]?.lookup == nil else { return }
    do {
      running[name]?.lookup = try NameLookup(of: host, loop: loop) { [unowned self] address in
        running[name]?.lookup = nil
        proxy.connect(to: address.map { SocketAddress(address: $0, port: port) })
      }
    } catch {
      // Without a thread or a descriptor the name leads nowhere; the next client asks again.
      proxy.connect(to: nil)
    }
  }
}
