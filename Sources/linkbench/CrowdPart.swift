import EventLoop
import Quantities

/// Many connections at a time, all of them sending as fast as they can, or none.
enum CrowdPart {
  struct Result {
    var peer: Peer
    var what: String
    /// Those that the server got.
    var connections = 0
    /// Bytes per second of each.
    var rates: [Double] = []
    var asked: Double?
    var processorShare = 0.0
    var residentBytes = 0
  }

  static func measure(
    _ peer: Peer, _ task: Peer.Task, what: String, connections: Int, each asked: Double?,
    warmUp: Double, for duration: Double, _ bench: Bench
  ) throws -> Result {
    let listener = try Listener(on: SocketAddress(port: 0))
    let running = try bench.start(peer, task, to: listener.address)
    let crowd = try Crowd(from: listener, to: running.address, isSending: asked != nil)
    try crowd.connect(connections)
    try crowd.run(for: warmUp)
    crowd.startCounting()
    let start = seconds()
    let work = running.processorSeconds
    try crowd.run(for: duration)
    return Result(
      peer: peer, what: what, connections: crowd.accepted, rates: crowd.rates, asked: asked,
      processorShare: (running.processorSeconds - work) / (seconds() - start),
      residentBytes: running.residentBytes)
  }

  /// What writing the same packets to as many sockets costs by itself: no relay can cost less.
  static func floor(connections: Int, each rate: Double, for duration: Double) throws -> Result {
    let listener = try Listener(on: SocketAddress(port: 0))
    let crowd = try Crowd(from: listener, to: listener.address, isSending: false)
    try crowd.connect(connections)
    let share = try crowd.shareOfSending(
      packet: packet, perSecond: rate * Double(connections) / Double(packet), for: duration)
    return Result(
      peer: .direct, what: "\(connections) at 20 KB/s each, only written",
      connections: crowd.accepted, processorShare: share)
  }

  private static let packet = 1_460

  static func table(_ results: [Result]) -> String {
    Table(
      ["work", "through", "connected", "mean error", "worst error", "min / max", "core", "memory"],
      results.map { result in
        var rates = ["", "", ""]
        if let asked = result.asked, let least = result.rates.min(), let most = result.rates.max() {
          let mean = result.rates.reduce(0, +) / Double(result.rates.count)
          let worst = max(most / asked - 1, 1 - least / asked)
          rates = [
            signed((mean / asked - 1) * 100, 2) + " %", fixed(worst * 100, 2) + " %",
            fixed(least / most, 3),
          ]
        }
        return [result.what, result.peer.rawValue, "\(result.connections)"] + rates + [
          fixed(result.processorShare * 100, 1) + " %",
          "\(ByteCount(result.residentBytes / 100_000 * 100_000))",
        ]
      }
    ).text
  }
}
