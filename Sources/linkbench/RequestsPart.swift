import EventLoop

/// Small requests to the engine on connections that are kept, with its log and its ledger on.
enum RequestsPart {
  struct Result {
    var connections: Int
    /// Requests per second, by round.
    var rates: [Double] = []
  }

  private static let bodyBytes = 200

  static func measure(rounds: Int, for duration: Double, _ bench: Bench) throws -> [Result] {
    var results = [1, 16].map { Result(connections: $0) }
    for _ in 0..<rounds {
      for index in results.indices {
        results[index].rates.append(
          try rate(results[index].connections, for: duration, bench))
      }
    }
    return results
  }

  private static func rate(
    _ connections: Int, for duration: Double, _ bench: Bench
  ) throws -> Double {
    let engine = try bench.startEngine(["--ledger", bench.path(of: "ledger.jsonl")], quiet: false)
    let clients = try (0..<connections).map { _ in try TCPSocket.connected(to: engine.address) }
    let request = Array(
      ("PUT /files/small HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(bodyBytes)\r\n\r\n"
        + String(repeating: "x", count: bodyBytes)).utf8)
    let start = seconds()
    var count = 0
    while seconds() < start + duration {
      for client in clients { _ = request.withUnsafeBytes { client.writeBlocking($0) } }
      for client in clients { try client.readAnswer() }
      count += clients.count
    }
    let rate = Double(count) / (seconds() - start)
    for client in clients { client.abort() }
    return rate
  }

  static func table(_ results: [Result]) -> String {
    Table(
      ["connections", "requests/s, median", "lowest", "highest"],
      results.map { result in
        [
          "\(result.connections)", fixed(median(result.rates), 0),
          fixed(result.rates.min() ?? .nan, 0), fixed(result.rates.max() ?? .nan, 0),
        ]
      }
    ).text
  }
}
