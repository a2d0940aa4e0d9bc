import EventLoop
import Glibc

/// 64 bytes there and 64 back, one after the other.
enum RoundTripPart {
  struct Result {
    var peer: Peer
    /// In microseconds, sorted.
    var times: [Double] = []

    func percentile(_ share: Double) -> Double {
      times.isEmpty ? .nan : times[min(times.count - 1, Int(Double(times.count) * share))]
    }
  }

  private static let size = 64

  /// Takes turns, so that a change of the machine's pace meets all of them.
  static func measure(_ peers: [Peer], rounds: Int, trips: Int, _ bench: Bench) throws -> [Result] {
    var results = peers.map { Result(peer: $0) }
    for _ in 0..<rounds {
      for index in results.indices {
        results[index].times += try roundTrips(results[index].peer, trips, bench)
      }
    }
    for index in results.indices { results[index].times.sort() }
    return results
  }

  private static func roundTrips(_ peer: Peer, _ trips: Int, _ bench: Bench) throws -> [Double] {
    let listener = try Listener(on: SocketAddress(port: 0))
    let running = try bench.start(peer, to: listener.address)
    let client = try TCPSocket.connected(to: running.address)
    let server = try TCPSocket.accepted(from: listener)
    let handed = Handed(value: server)
    let echoes = Background {
      var bytes = [UInt8](repeating: 0, count: size)
      bytes.withUnsafeMutableBytes { buffer in
        while case let count = handed.value.readBlocking(into: buffer), count > 0 {
          _ = handed.value.writeBlocking(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
    }
    var bytes = [UInt8](repeating: 0, count: size)
    var times: [Double] = []
    bytes.withUnsafeMutableBytes { buffer in
      // The first tenth finds caches and clocks cold.
      for trip in 0..<(trips + trips / 10) {
        let start = seconds()
        _ = client.writeBlocking(UnsafeRawBufferPointer(buffer))
        var back = 0
        while back < size, case let count = client.readBlocking(into: buffer), count > 0 {
          back += count
        }
        if trip >= trips / 10 { times.append((seconds() - start) * 1e6) }
      }
    }
    client.abort()
    echoes.wait()
    return times
  }

  static func table(_ results: [Result]) -> String {
    let base = results.first { $0.peer == .direct }
    return Table(
      ["through", "median", "p99", "added, median", "added, p99"],
      results.map { result in
        let added = [0.5, 0.99].map { share in
          base.map { signed(result.percentile(share) - $0.percentile(share), 1) + " us" } ?? ""
        }
        return [
          result.peer.rawValue, fixed(result.percentile(0.5), 1) + " us",
          fixed(result.percentile(0.99), 1) + " us",
        ] + (result.peer == .direct ? ["", ""] : added)
      }
    ).text
  }
}
