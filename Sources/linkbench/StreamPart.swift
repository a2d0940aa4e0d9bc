import EventLoop

/// One stream that nothing throttles.
enum StreamPart {
  struct Result {
    var peer: Peer
    /// Bytes per second, by round.
    var rates: [Double] = []
    var bytes = 0
    var processorSeconds = 0.0
  }

  /// Takes turns, so that a change of the machine's pace meets all of them.
  static func measure(
    _ peers: [Peer], rounds: Int, for duration: Double, _ bench: Bench
  ) throws -> [Result] {
    var results = peers.map { Result(peer: $0) }
    for _ in 0..<rounds {
      for index in results.indices {
        try round(&results[index], for: duration, bench)
      }
    }
    return results
  }

  private static func round(
    _ result: inout Result, for duration: Double, _ bench: Bench
  ) throws {
    let listener = try Listener(on: SocketAddress(port: 0))
    let running = try bench.start(result.peer, to: listener.address)
    let client = try TCPSocket.connected(to: running.address)
    let server = try TCPSocket.accepted(from: listener)
    let sent = flood(client)
    var buffer = [UInt8](repeating: 0, count: 262_144)
    var bytes = 0
    var start = seconds()
    var work = 0.0
    var isWarm = false
    while true {
      let count = buffer.withUnsafeMutableBytes { server.readBlocking(into: $0) }
      guard count > 0 else { break }
      bytes += count
      let now = seconds()
      if !isWarm, now > start + duration / 10 {
        (isWarm, start, bytes) = (true, now, 0)
        work = running.processorSeconds
      }
      if isWarm, now > start + duration { break }
    }
    result.rates.append(Double(bytes) / (seconds() - start))
    result.bytes += bytes
    result.processorSeconds += running.processorSeconds - work
    client.abort()
    server.abort()
    sent.wait()
  }

  static func table(_ results: [Result]) -> String {
    let base = results.first { $0.peer == .direct }.map { median($0.rates) }
    return Table(
      ["through", "MB/s", "share of direct", "CPU s per GB"],
      results.map { result in
        let rate = median(result.rates)
        return [
          result.peer.rawValue, fixed(rate / 1e6, 0),
          base.map { fixed(rate / $0, 2) } ?? "",
          result.peer == .direct
            ? "" : fixed(result.processorSeconds / (Double(result.bytes) / 1e9), 2),
        ]
      }
    ).text
  }
}
