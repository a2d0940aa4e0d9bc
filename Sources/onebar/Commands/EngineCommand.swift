import Bench
import EngineServer
import EventLoop
import FoundationEssentials
import Quantities
import Reports
import ScratchEngine

struct EngineCommand: CommandLineCommand {
  let command = Command(
    ["engine"],
    help: """
      usage: onebar engine [OPTIONS]

      The scratch server that uploads go to, in memory, until Ctrl-C.

        --listen HOST:PORT   default 127.0.0.1:0, any free port
        --turn TIME          how long a turn takes; default none
        --quiet              no figures

      Its first line says where it listens; then a line with figures each second.

      example
        onebar engine --listen 127.0.0.1:8080 --turn 5s
        curl http://127.0.0.1:8080/api/health
      """,
    options: [.value("--listen"), .value("--turn"), .flag("--quiet")])

  func run(_ arguments: Arguments) throws -> ExitCode {
    let turn = try arguments.value("--turn") { try Duration(parsing: $0) } ?? .zero
    let listen =
      try arguments.value("--listen") { try SocketAddress(parsing: $0) } ?? SocketAddress(port: 0)
    return try PartByHand.run(quiet: arguments.has("--quiet")) { loop in
      let server = try ScratchServer(
        script: EngineScript(turnTakes: turn), listen: listen, clock: Self.wallClock(at: loop.now),
        loop: loop)
      return (
        "listening on \(server.address)", { Self.figures(server.engine.ledger) }, server.stop
      )
    }
  }

  private static func wallClock(at now: Instant) -> WallClock {
    let today = Int64(Date().timeIntervalSince1970 * 1_000)
    return WallClock(epoch: today - now.nanoseconds / 1_000_000)
  }

  private static func figures(_ ledger: Ledger) -> String {
    "\(ledger.requests.count) requests, \(ledger.momentsStored) moments,"
      + " \(ByteCount(ledger.received)) received"
  }
}
