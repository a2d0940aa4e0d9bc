import Captures
import EventLoop

/// One large upload to the engine, beside a sink that only reads, and beside its digest alone.
enum UploadPart {
  enum Way: String, CaseIterable {
    case direct = "a sink, direct"
    case undigested = "onebar engine --digest none"
    case digested = "onebar engine"
    case digest = "SHA-256 alone"
  }

  struct Result {
    var way: Way
    /// Bytes per second, by round.
    var rates: [Double] = []
    /// Of the engine, over all rounds.
    var processorSeconds = 0.0
    var bytes = 0
  }

  /// Takes turns, so that a change of the machine's pace meets all of them.
  static func measure(rounds: Int, bytes: Int, _ bench: Bench) throws -> [Result] {
    var results = Way.allCases.map { Result(way: $0) }
    for _ in 0..<rounds {
      for index in results.indices {
        let way = results[index].way
        let start = seconds()
        let work = try move(bytes, way, bench)
        results[index].rates.append(Double(bytes) / (seconds() - start - work.startUp))
        results[index].processorSeconds += work.processor
        results[index].bytes += bytes
      }
    }
    return results
  }

  /// Returns the seconds before the first byte could go, and those of the processor.
  private static func move(
    _ bytes: Int, _ way: Way, _ bench: Bench
  ) throws -> (startUp: Double, processor: Double) {
    let start = seconds()
    switch way {
    case .direct:
      let listener = try Listener(on: SocketAddress(port: 0))
      let client = try TCPSocket.connected(to: listener.address)
      let server = Handed(value: try TCPSocket.accepted(from: listener))
      let startUp = seconds() - start
      let sink = Background {
        var buffer = [UInt8](repeating: 0, count: 262_144)
        var count = 0
        while count < bytes {
          let read = buffer.withUnsafeMutableBytes { server.value.readBlocking(into: $0) }
          guard read > 0 else { return }
          count += read
        }
      }
      send(bytes, on: client)
      sink.wait()
      return (startUp, 0)
    case .undigested, .digested:
      let engine = try bench.startEngine(way == .undigested ? ["--digest", "none"] : [])
      let client = try TCPSocket.connected(to: engine.address)
      let work = engine.processorSeconds
      let startUp = seconds() - start
      let head = "PUT /files/bench HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(bytes)\r\n\r\n"
      _ = Array(head.utf8).withUnsafeBytes { client.writeBlocking($0) }
      send(bytes, on: client)
      try client.readAnswer()
      return (startUp, engine.processorSeconds - work)
    case .digest:
      let digest = SHA256Digest()
      // The size that openssl speed is usually asked for.
      let block = [UInt8](repeating: 0, count: 16_384)
      for _ in 0..<(bytes / block.count) { digest.update(block) }
      _ = digest.finish()
      return (0, 0)
    }
  }

  private static func send(_ bytes: Int, on client: TCPSocket) {
    let block = [UInt8](repeating: 0, count: 262_144)
    var left = bytes
    block.withUnsafeBytes { block in
      while left > 0,
        client.writeBlocking(UnsafeRawBufferPointer(rebasing: block.prefix(left)))
      {
        left -= min(left, block.count)
      }
    }
  }

  static func table(_ results: [Result]) -> String {
    Table(
      [
        "to", "MB/s, median", "lowest", "highest", "share of direct", "share of SHA-256",
        "CPU s per GB",
      ],
      results.map { result in
        [
          result.way.rawValue, fixed(median(result.rates) / 1e6, 0),
          fixed((result.rates.min() ?? .nan) / 1e6, 0),
          fixed((result.rates.max() ?? .nan) / 1e6, 0),
          share(result, of: .direct, results),
          result.way == .digested ? share(result, of: .digest, results) : "",
          result.processorSeconds > 0
            ? fixed(result.processorSeconds / (Double(result.bytes) / 1e9), 2) : "",
        ]
      }
    ).text
  }

  /// The median of the rounds' ratios: what one round met, all of it met.
  private static func share(_ result: Result, of way: Way, _ results: [Result]) -> String {
    guard let base = results.first(where: { $0.way == way })?.rates else { return "" }
    return fixed(median(zip(result.rates, base).map { $0 / $1 }), 2)
  }
}

extension TCPSocket {
  struct NoAnswer: Error, CustomStringConvertible {
    let description = "the engine did not answer with 200 or 201"
  }

  /// Reads the answer to one request; throws ``NoAnswer`` when it is no success.
  func readAnswer() throws {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = buffer.withUnsafeMutableBytes { readBlocking(into: $0) }
    guard String(decoding: buffer[..<count], as: UTF8.self).hasPrefix("HTTP/1.1 20") else {
      throw NoAnswer()
    }
  }
}
