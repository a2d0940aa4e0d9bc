import EventLoop
import Quantities
import Reports
import ThrottlingProxy

/// `onebar proxy --api`: the control API by hand, with the proxies that are there from the start.
struct ControlledProxy {
  var api: SocketAddress
  /// The proxy that the command line describes.
  var given: ProxyRecord?
  /// A file with more of them.
  var config: (path: String, bytes: [UInt8])?
  var seed: UInt64

  func run(quiet: Bool) throws -> ExitCode {
    try PartByHand.run(quiet: quiet) { loop in
      let server = try ControlServer(listen: api, loop: loop, seed: seed)
      var lines = ["api listening on \(server.address)"]
      do {
        if let given { lines.insert("listening on \(try server.add(given))", at: 0) }
        if let config { try populate(server, config) }
      } catch {
        server.stop()
        throw error
      }
      return (lines.joined(separator: "\n"), { Self.figures(server.reading) }, server.stop)
    }
  }

  private func populate(
    _ server: ControlServer, _ config: (path: String, bytes: [UInt8])
  ) throws(ArgumentError) {
    do {
      try server.populate(config.bytes)
    } catch {
      throw .badValue(option: config.path, reason: "\(error)")
    }
  }

  private static func figures(
    _ reading: (proxies: Int, connections: Int, flow: (up: LaneFlow, down: LaneFlow))
  ) -> String {
    "\(reading.proxies) \(reading.proxies == 1 ? "proxy" : "proxies"), \(counted(reading.connections, "connection"));"
      + " up \(ByteCount(reading.flow.up.carried)) carried,"
      + " down \(ByteCount(reading.flow.down.carried)) carried"
  }
}
