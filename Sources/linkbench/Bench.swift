import EventLoop
import Foundation

/// What all parts share: the programs that are there, and a folder for what they are told.
final class Bench {
  /// Those that are installed, in the order of the tables.
  let peers: [Peer]
  let missing: [Peer]
  private let executables: [Peer: String]
  private let folder: WorkFolder

  init(onebar: String) throws {
    folder = try WorkFolder()
    var executables: [Peer: String] = [:]
    for peer in Peer.allCases { executables[peer] = peer.executable(onebar: onebar) }
    self.executables = executables
    peers = Peer.allCases.filter { executables[$0] != nil }
    missing = Peer.allCases.filter { executables[$0] == nil }
  }

  var throttlers: [Peer] { peers.filter(\.canThrottle) }

  func start(
    _ peer: Peer, _ task: Peer.Task = Peer.Task(), to target: SocketAddress
  ) throws -> RunningPeer {
    try RunningPeer(peer, task, to: target, at: executables[peer] ?? "", in: folder)
  }

  /// The engine with these words on its command line.
  func startEngine(_ words: [String], quiet: Bool = true) throws -> RunningPeer {
    try RunningPeer("onebar engine", at: executables[.onebar] ?? "") { port in
      ["engine", "--listen", "127.0.0.1:\(port)"] + (quiet ? ["--quiet"] : []) + words
    }
  }

  /// A place for a file that a program writes.
  func path(of name: String) -> String { "\(folder.path)/\(name)" }
}

func pause(_ seconds: Double) {
  usleep(useconds_t(seconds * 1e6))
}
