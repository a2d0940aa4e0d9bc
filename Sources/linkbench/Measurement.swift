import EventLoop
import Foundation
import Quantities

/// The parts, one after the other, and the report of them.
struct Measurement {
  let bench: Bench
  let parts: [Main.Part]
  let isQuick: Bool

  private static let rates = [1e3, 20e3, 61_399, 61_400, 1e6, 10e6, 100e6]
  private static let quickRates = [20e3, 1e6, 100e6]
  private static let buffers: [ByteCount] = [
    .kilobytes(32), .kilobytes(64), .megabytes(1.43), .megabytes(4),
  ]
  private static let each = 20e3

  func report() throws -> String {
    var text = """
      # The link and the engine, measured

      By `scripts/benchmark\(isQuick ? " --quick" : "")`, all in one run on one machine of
      \(ProcessInfo.processInfo.activeProcessorCount) cores, over the loopback interface. Compare the
      rows of one table with each other: the absolute figures are the machine's.

      """
    if !bench.missing.isEmpty {
      text += "\nNot installed: \(bench.missing.map(\.rawValue).joined(separator: ", ")).\n"
    }
    for part in parts {
      FileHandle.standardError.write(Data("linkbench: \(part.rawValue)\n".utf8))
      text += try section(part)
    }
    return text
  }

  private func section(_ part: Main.Part) throws -> String {
    switch part {
    case .rate:
      """

      ## One connection at a declared rate

      From the first receipt to the last, \(Int(rateSeconds)) s each, after an idle time of
      \(Int(idleSeconds)) s that must earn nothing. *Wander* is the way from the furthest behind the
      straight line to the furthest ahead of it; *furthest ahead* is against rate x time since the
      client began, where less than a packet is right. onebar is declared with a buffer of 1 MB from 10
      MB/s up. *core* is the proxy's processor time, as a share of one core.

      \(RatePart.table(try rateResults()))
      """
    case .roundtrip:
      """

      ## A round trip of 64 bytes, nothing throttled

      \(RoundTripPart.table(
        try RoundTripPart.measure(
          bench.peers, rounds: isQuick ? 2 : 5, trips: isQuick ? 2_000 : 5_000, bench)))
      """
    case .stream:
      """

      ## One stream, nothing throttled

      \(StreamPart.table(
        try StreamPart.measure(
          bench.peers, rounds: isQuick ? 2 : 5, for: isQuick ? 1 : 3, bench)))
      """
    case .crowd:
      """

      ## Many connections at a time

      Each sends as fast as it can and has a rate of its own, except on the shared link. Rates are from
      a connection's first receipt to its last within \(Int(crowdSeconds)) s. onebar is declared with a
      buffer of 32 KB. *Only written* is the cost of the same packets without a relay, from one thread.

      \(CrowdPart.table(try crowdResults()))
      """
    case .idle:
      """

      ## Connected and idle

      \(CrowdPart.table(try idleResults()))
      """
    case .buffer:
      """

      ## Bytes that the client has handed over and the server has not received

      At 20 KB/s, from a client that keeps its own send buffer as small as it can; the client's kernel
      is counted in.

      \(BufferPart.table(try bufferResults()))
      """
    case .upload:
      """

      ## One large upload to the engine

      \(uploadBytes / 1_000_000) MB of zeros to `/files`, from the first byte to the receipt, \(uploadRounds) times in
      turns. A share is the median of the ratios of each turn.

      \(UploadPart.table(
        try UploadPart.measure(rounds: uploadRounds, bytes: uploadBytes, bench)))
      """
    case .requests:
      """

      ## Small requests to the engine

      PUT of 200 bytes on connections that are kept, each with a line in the log and one in the ledger.

      \(RequestsPart.table(
        try RequestsPart.measure(rounds: isQuick ? 2 : 5, for: isQuick ? 1 : 3, bench)))
      """
    }
  }

  private var rateSeconds: Double { isQuick ? 5 : 20 }
  private var idleSeconds: Double { isQuick ? 1 : 3 }
  private var uploadBytes: Int { isQuick ? 1_000_000_000 : 4_000_000_000 }
  private var uploadRounds: Int { isQuick ? 3 : 7 }
  private var crowdSeconds: Double { isQuick ? 5 : 20 }

  private func rateResults() throws -> [RatePart.Result] {
    var results: [RatePart.Result] = []
    for rate in isQuick ? Self.quickRates : Self.rates {
      for peer in bench.throttlers {
        results.append(
          try RatePart.measure(peer, rate: rate, idle: idleSeconds, for: rateSeconds, bench))
      }
    }
    return results
  }

  private func crowdResults() throws -> [CrowdPart.Result] {
    var results: [CrowdPart.Result] = []
    for connections in isQuick ? [500] : [500, 2_000] {
      results.append(
        try CrowdPart.floor(connections: connections, each: Self.each, for: crowdSeconds / 4))
      for peer in bench.throttlers {
        results.append(
          try CrowdPart.measure(
            peer, Peer.Task(rate: Self.each, buffer: "32KB"),
            what: "\(connections) at 20 KB/s each", connections: connections, each: Self.each,
            warmUp: 4, for: crowdSeconds, bench))
      }
    }
    results.append(
      try CrowdPart.measure(
        .onebar, Peer.Task(rate: 50 * Self.each, isShared: true, buffer: "32KB"),
        what: "50 on one link of 1 MB/s", connections: 50, each: Self.each, warmUp: 4,
        for: crowdSeconds, bench))
    return results
  }

  /// Two descriptors of each connection are the proxy's, and two are this program's.
  private func idleResults() throws -> [CrowdPart.Result] {
    let connections = min(10_000, DescriptorLimit.raise() / 2 - 50)
    var results: [CrowdPart.Result] = []
    for peer in bench.peers where peer != .direct && peer != .socat {
      results.append(
        try CrowdPart.measure(
          peer, Peer.Task(rate: peer.canThrottle ? Self.each : nil), what: "\(connections) idle",
          connections: connections, each: nil, warmUp: 1, for: isQuick ? 2 : 10, bench))
    }
    return results
  }

  private func bufferResults() throws -> [BufferPart.Result] {
    let time = isQuick ? 3.0 : 10
    var results: [BufferPart.Result] = []
    for buffer in Self.buffers {
      results.append(
        try BufferPart.measure(.onebar, buffer: buffer, rate: Self.each, for: time, bench))
    }
    for peer in bench.throttlers where peer != .onebar {
      results.append(
        try BufferPart.measure(peer, buffer: nil, rate: Self.each, for: time, bench))
    }
    return results
  }
}
