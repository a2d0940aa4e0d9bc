import EventLoop
import Quantities

/// One connection at a declared rate, after an idle time that must earn nothing.
enum RatePart {
  struct Result {
    var peer: Peer
    var rate: Double
    var watch: LineWatch
    var processorShare: Double
  }

  /// What onebar is declared with from here up: the default is less than a millisecond of it.
  private static let fast = 10e6
  private static let fastBuffer = "1MB"

  static func measure(
    _ peer: Peer, rate: Double, idle: Double, for duration: Double, _ bench: Bench
  ) throws -> Result {
    let listener = try Listener(on: SocketAddress(port: 0))
    let running = try bench.start(
      peer, Peer.Task(rate: rate, isShared: true, buffer: rate >= fast ? fastBuffer : nil),
      to: listener.address)
    let client = try TCPSocket.connected(to: running.address)
    let server = try TCPSocket.accepted(from: listener)
    pause(idle)
    let start = seconds()
    let work = running.processorSeconds
    let sent = flood(client)
    var watch = LineWatch(rate: rate, start: start)
    var buffer = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = buffer.withUnsafeMutableBytes { server.readBlocking(into: $0) }
      let now = seconds()
      guard count > 0, now < start + duration else { break }
      watch.add(count, at: now)
    }
    let share = (running.processorSeconds - work) / (seconds() - start)
    client.abort()
    server.abort()
    sent.wait()
    return Result(peer: peer, rate: rate, watch: watch, processorShare: share)
  }

  static func table(_ results: [Result]) -> String {
    Table(
      ["rate", "through", "error", "wander", "longest silence", "furthest ahead", "core"],
      results.map { result in
        let watch = result.watch
        return [
          "\(DataRate(bytesPerSecond: result.rate))", result.peer.rawValue,
          watch.error.map { signed($0 * 100, 3) + " %" } ?? "too little came",
          fixed(watch.wander * 1e3, 1) + " ms", fixed(watch.longestSilence * 1e3, 1) + " ms",
          signed(watch.furthestAhead / result.rate * 1e3, 1) + " ms",
          fixed(result.processorShare * 100, 1) + " %",
        ]
      }
    ).text
  }
}
