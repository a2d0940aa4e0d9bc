package import EventLoop
package import LinkModel
import Quantities

/// Measures a link from outside: as a client and a server at its two ends see it, through real
/// sockets, by what they themselves wrote and received, and when.
package final class LinkProbe {
  /// What the two ends saw; what could not be measured in time is nil.
  package struct Reading: Hashable, Sendable {
    /// Bytes per second that the server received.
    package var rate: Double?
    /// From a client's write to the server's receipt of it, one byte, and back, without the byte's
    /// own time on the link; medians.
    package var latencyUp: Duration?
    package var latencyDown: Duration?
    /// Bytes that the client had written, less those that the server had received, less those in
    /// the link itself, while the client was kept waiting; the mean.
    package var buffer: Double?
  }

  // Seconds of the monotonic clock: what this machine needs does not run faster when time does.

  /// For a sender's kernels to be read often enough to know their mean.
  private static let settleSeconds = 0.15
  /// From the first packet that counts to the last, at least.
  private static let streamSeconds = 0.2
  /// From one look at what is on the way to the next.
  private static let weighSeconds = 0.001
  /// For everything, when nothing else is said; what a slow link has not shown by then is not
  /// measured.
  package static let secondsMax = 4.0
  /// No byte is sent there and back once this is over: a link of long latency needs its time for
  /// the packets.
  private static let pingSeconds = 1.0
  /// Packets that have to count, for a rate and a buffer.
  private static let packetsMin = 30
  private static let pings = 5
  /// As that of the built-in client.
  private static let sendBuffer = 16_000

  private let loop: EventLoop
  private let secondsMax: Double
  /// One byte's own time on the link, which is no latency.
  private let crossing: (up: Duration, down: Duration)
  private let proxy: LinkProxy
  private let listener: Listener
  private let client: Endpoint
  private var server: Endpoint?
  private var listening: EventLoop.Watch?
  private let content = [UInt8](repeating: 0, count: 65_536)

  private var beganAt = Instant.zero
  private var pingedAt = Instant.zero
  private var up: [Duration] = []
  private var down: [Duration] = []
  private var isStreaming = false
  private var written = 0
  private var received = 0
  private var isWaiting = false
  private var isSettled = false
  /// When the first packet that counts was received, and what had been by then.
  private var start: (at: Instant, received: Int)?
  private var last = Instant.zero
  private var held = 0.0
  private var weighings = 0

  /// Measures a link of these conditions on a loop of its own, which sets the scale of time; takes
  /// half a second to `secondsMax` of the monotonic clock, or until somebody stops the loop.
  ///
  /// Throws when the system refuses a socket.
  package static func measure(
    _ conditions: LinkConditions, on loop: EventLoop, secondsMax: Double = LinkProbe.secondsMax
  ) throws(SystemFailure) -> Reading {
    try LinkProbe(conditions, loop: loop, secondsMax: secondsMax).run()
  }

  private init(
    _ conditions: LinkConditions, loop: EventLoop, secondsMax: Double
  ) throws(SystemFailure) {
    self.loop = loop
    self.secondsMax = secondsMax
    crossing = (Self.crossing(conditions.up), Self.crossing(conditions.down))
    listener = try Listener(on: SocketAddress(port: 0))
    proxy = try LinkProxy(
      conditions, listen: SocketAddress(port: 0), to: listener.address, loop: loop)
    let socket = try TCPSocket.connect(to: proxy.address)
    socket.limitSendBuffer(to: Self.sendBuffer)
    client = Endpoint(socket, loop: loop)
  }

  private func run() throws(SystemFailure) -> Reading {
    listening = try loop.watch(listener.descriptor, for: .readable) { [unowned self] _ in accept() }
    client.wantsToRead = true
    try client.start { [unowned self] ready in clientIsReady(ready) }
    beganAt = loop.now
    after(secondsMax) { $0.loop.stop() }
    try loop.run()
    proxy.stop()
    client.stop()
    server?.stop()
    if let listening { loop.unwatch(listening) }
    return reading
  }

  private var reading: Reading {
    var reading = Reading(latencyUp: Self.median(up), latencyDown: Self.median(down))
    guard let start, last > start.at,
      received - start.received >= Self.packetsMin * LinkDirection.packetBytes
    else { return reading }
    reading.rate = Double(received - start.received) / (last - start.at).inSeconds
    reading.buffer = held / Double(weighings)
    return reading
  }

  private static func crossing(_ direction: DirectionConditions) -> Duration {
    direction.steadyRate.map { .seconds(exactly: 1 / $0.bytesPerSecond) } ?? .zero
  }

  /// Link time in which so many seconds of the monotonic clock pass.
  private func link(_ seconds: Double) -> Duration {
    .seconds(exactly: seconds * loop.scale.factor)
  }

  private func after(_ seconds: Double, _ action: @escaping (LinkProbe) -> Void) {
    loop.schedule(at: loop.now + link(seconds)) { [weak self] in if let self { action(self) } }
  }

  // MARK: One byte there and back, a few times

  private func accept() {
    guard server == nil, let socket = try? TCPSocket.accept(from: listener) else { return }
    let server = Endpoint(socket, loop: loop)
    self.server = server
    server.wantsToRead = true
    do {
      try server.start { [unowned self] ready in serverIsReady(ready) }
      ping()
    } catch {
      loop.stop()
    }
  }

  private func ping() {
    pingedAt = loop.now
    _ = write(1, to: client)
  }

  private func clientIsReady(_ ready: Readiness) {
    if !ready.isDisjoint(with: [.failed, .hungUp]) {
      loop.stop()
    } else if isStreaming {
      fill()
    } else if ready.contains(.readable), read(from: client) > 0 {
      down.append(loop.now - pingedAt - crossing.down)
      let isEnough = down.count >= Self.pings || loop.now - beganAt >= link(Self.pingSeconds)
      isEnough ? stream() : ping()
    }
  }

  private func serverIsReady(_ ready: Readiness) {
    guard ready.isDisjoint(with: [.failed, .hungUp]), let server else {
      loop.stop()
      return
    }
    let count = read(from: server)
    if isStreaming {
      self.count(count)
    } else if count > 0 {
      up.append(loop.now - pingedAt - crossing.up)
      pingedAt = loop.now
      _ = write(1, to: server)
    }
  }

  // MARK: As much as the path takes

  private func stream() {
    isStreaming = true
    client.wantsToRead = false
    after(Self.settleSeconds) {
      $0.isSettled = true
      $0.weigh()
    }
    fill()
  }

  private func fill() {
    while true {
      let count = write(content.count, to: client)
      written += count
      guard count == 0 else { continue }
      isWaiting = true
      client.wantsToWrite = true
      return
    }
  }

  /// What the server receives tells of the rate.
  private func count(_ bytes: Int) {
    received += bytes
    last = loop.now
    guard isSettled, isWaiting else { return }
    guard let start else {
      start = (last, received)
      return
    }
    let packets = (received - start.received) / LinkDirection.packetBytes
    if packets >= Self.packetsMin, last - start.at >= link(Self.streamSeconds) { loop.stop() }
  }

  /// What is on the way tells of the buffer, at moments that have to do with no packet.
  private func weigh() {
    if isWaiting {
      held += Double(written - received - proxy.read().propagating)
      weighings += 1
    }
    after(Self.weighSeconds) { $0.weigh() }
  }

  private func write(_ count: Int, to end: Endpoint) -> Int {
    let outcome = content.prefix(count).withUnsafeBytes { end.socket.write($0) }
    if case .moved(let moved) = outcome { return moved }
    return 0
  }

  private func read(from end: Endpoint) -> Int {
    var total = 0
    withUnsafeTemporaryAllocation(byteCount: content.count, alignment: 1) { buffer in
      while case .moved(let moved) = end.socket.read(into: buffer) { total += moved }
    }
    return total
  }

  private static func median(_ values: [Duration]) -> Duration? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
