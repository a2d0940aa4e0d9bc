import EventLoop
import Foundation

/// A peer at work between a port and a target; it is killed at the end of this value's life.
final class RunningPeer {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Where clients connect.
  let address: SocketAddress
  private var process: Process?

  private static let secondsToStart = 10.0

  /// Starts the peer and waits until it listens; `direct` is the target itself.
  convenience init(
    _ peer: Peer, _ task: Peer.Task = Peer.Task(), to target: SocketAddress, at executable: String,
    in folder: WorkFolder
  ) throws {
    guard peer != .direct else {
      self.init(at: target)
      return
    }
    try self.init(peer.rawValue, at: executable) { port in
      try peer.words(task, port: port, to: target, in: folder)
    }
  }

  private init(at address: SocketAddress) {
    self.address = address
  }

  /// Starts a program with these words, and waits until it listens on the port that they name.
  init(_ name: String, at executable: String, _ words: (UInt16) throws -> [String]) throws {
    // Free a moment ago; nobody else is expected to take one in the meantime.
    address = try Listener(on: SocketAddress(port: 0)).address
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = try words(address.port)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    let deadline = seconds() + Self.secondsToStart
    while !Self.isListening(address.port) {
      guard process.isRunning, seconds() < deadline else {
        throw Failure(
          description: "\(name) does not listen; it was started as: \(executable) "
            + (process.arguments ?? []).joined(separator: " "))
      }
      usleep(5_000)
    }
  }

  deinit {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Processor seconds that it has used; zero of `direct`.
  var processorSeconds: Double {
    guard let process else { return 0 }
    let tasks = "/proc/\(process.processIdentifier)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return threads.reduce(0) { sum, thread in
      let text =
        (try? String(contentsOfFile: "\(tasks)/\(thread)/schedstat", encoding: .utf8)) ?? ""
      return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
    }
  }

  /// Bytes of memory that it holds now (VmRSS).
  var residentBytes: Int {
    guard let process,
      let text = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
      let count = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
    else { return 0 }
    return (Int(count) ?? 0) * 1_024
  }

  /// Seen in the kernel's table: a connection to find out would reach the sink behind the peer.
  private static func isListening(_ port: UInt16) -> Bool {
    let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
    let hex = String(port, radix: 16, uppercase: true)
    let end = ":" + String(repeating: "0", count: 4 - hex.count) + hex
    return table.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      return fields.count > 3 && fields[1].hasSuffix(end) && fields[3] == "0A"
    }
  }
}
