import EventLoop
import LinkModel
import Quantities
import TestSupport
import ThrottlingProxy

/// A proxy on a loop of its own, between a plain client and a plain server.
struct ProxyFixture {
  let server: BlockingSocket
  let port: UInt16
  private let thread: LoopThread<LinkProxy>

  struct CannotStart: Error {}

  /// With a dead target nobody listens where the proxy connects to.
  init(
    _ conditions: LinkConditions, factor: Double = 1, deadTarget: Bool = false,
    isShared: Bool = true, connectionsMax: Int = LinkProxy.connectionsMax
  ) throws {
    guard let (server, listening) = BlockingSocket.listen() else { throw CannotStart() }
    self.server = server
    let target = deadTarget ? 1 : listening
    thread = try LoopThread(factor: factor) { loop in
      try LinkProxy(
        conditions, listen: SocketAddress(port: 0), to: SocketAddress(port: target), loop: loop,
        isShared: isShared, connectionsMax: connectionsMax)
    }
    guard let port = thread.ask({ _, proxy in proxy.address.port }) else { throw CannotStart() }
    self.port = port
  }

  /// Asks on the loop's thread.
  func ask<Answer: Sendable>(_ body: @escaping @Sendable (LinkProxy) -> Answer) -> Answer? {
    thread.ask { _, proxy in body(proxy) }
  }

  func read() -> LinkProxy.Reading? {
    ask { $0.read() }
  }

  /// Ends the proxy and its connections; the loop still runs.
  func stopProxy() {
    _ = thread.ask { _, proxy in proxy.stop() }
  }

  func stop() {
    stopProxy()
    thread.stop()
  }
}

extension LinkConditions {
  /// A link of equal directions without latency.
  static func symmetric(
    _ rate: Pace, latency: Duration = .zero, buffer: ByteCount = .kilobytes(64)
  ) -> LinkConditions {
    LinkConditions(
      up: DirectionConditions(rate: rate, latency: latency),
      down: DirectionConditions(rate: rate, latency: latency), buffer: buffer)
  }
}
