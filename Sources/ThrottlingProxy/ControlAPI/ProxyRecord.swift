package import EventLoop
import JSON
package import LinkModel
import Quantities

/// One proxy as the control API knows it.
package struct ProxyRecord: Hashable, Sendable {
  package var name: String
  /// The port is the one that it got, once it has listened.
  package var listen: SocketAddress
  /// As it was given; it is read when the proxy starts.
  package var upstream: String
  package var isEnabled = false
  /// In the order in which they were added.
  package var toxics: [Toxic] = []
  /// The link that all its connections share.
  package var link: LinkConditions

  package init(
    name: String, listen: SocketAddress, upstream: String, link: LinkConditions = .none
  ) {
    self.name = name
    self.listen = listen
    self.upstream = upstream
    self.link = link
  }

  func toxics(_ stream: Toxic.Stream) -> [Toxic] {
    toxics.filter { $0.stream == stream }
  }

  var json: JSONValue {
    .object([
      "name": .string(name), "listen": .string("\(listen)"), "upstream": .string(upstream),
      "enabled": .bool(isEnabled), "toxics": toxicsJSON,
    ])
  }

  var toxicsJSON: JSONValue {
    .array((toxics(.upstream) + toxics(.downstream)).map(\.json))
  }

  /// Reads where to listen: an IPv4 address and port, or `localhost`.
  ///
  /// Without an address it is the loopback one: others have to be asked for.
  static func listenAddress(_ text: String) throws(ControlRefusal) -> SocketAddress {
    if text.isEmpty { return SocketAddress(port: 0) }
    let full =
      if text.hasPrefix(":") { "127.0.0.1" + text } else if text.hasPrefix("[::]:") {
        "0.0.0.0" + text.dropFirst(4)
      } else { text }
    do {
      return try SocketAddress(parsing: full)
    } catch {
      throw .listening(on: text, "\(error)")
    }
  }
}

extension LinkConditions {
  /// Both directions unlimited and without latency.
  package static let none = LinkConditions(
    up: DirectionConditions(rate: .unlimited), down: DirectionConditions(rate: .unlimited))
}
