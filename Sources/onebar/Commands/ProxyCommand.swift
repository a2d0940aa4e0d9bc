import Bench
import EventLoop
import LinkModel
import Quantities
import Reports
import ThrottlingProxy

struct ProxyCommand: CommandLineCommand {
  let command = Command(
    ["proxy"],
    help: """
      usage: onebar proxy --to HOST:PORT [OPTIONS]

      Carries TCP connections over a modelled link, until Ctrl-C. All connections share
      the one link.

        --to HOST:PORT       the server; an IPv4 address or localhost
        --listen HOST:PORT   default 127.0.0.1:0, any free port
        --up RATE            such as 20KB/s or 160kbit/s, or unlimited, or offline;
                             default unlimited
        --down RATE          the same, towards the client
        --latency TIME       each way, such as 100ms; default none
        --buffer SIZE        bytes of a connection that the link takes in before they
                             cross, kernel bytes included; default 64KB, at least 32KB
        --quiet              no figures
        --self-test          no proxy: measures this link on this machine, from a client's
                             and a server's side, and says whether it is as asked (exit
                             code 4 when not); without a link, four usual ones

      Its first line says where it listens. On standard error it prints a line with
      figures whenever they have changed, at most once a second.

      example
        onebar proxy --to 127.0.0.1:8080 --up 20KB/s --down 200KB/s --latency 100ms
        onebar proxy --self-test --up 20KB/s --latency 100ms
      """,
    options: [
      .value("--to"), .value("--listen"), .value("--up"), .value("--down"), .value("--latency"),
      .value("--buffer"), .flag("--quiet"),
      .flag("--self-test"),
    ])

  func run(_ arguments: Arguments) throws -> ExitCode {
    let conditions = try conditions(arguments)
    if arguments.has("--self-test") {
      return try LinkSelfTest.run(
        Self.linkOptions.contains(where: arguments.has) ? [conditions] : LinkSelfTest.usual)
    }
    guard let target = try arguments.value("--to", { try SocketAddress(parsing: $0) }) else {
      throw ArgumentError.missingOption("--to HOST:PORT", command: "proxy")
    }
    let listen =
      try arguments.value("--listen") { try SocketAddress(parsing: $0) } ?? SocketAddress(port: 0)
    return try PartByHand.run(quiet: arguments.has("--quiet")) { loop throws(SystemFailure) in
      let proxy = try LinkProxy(conditions, listen: listen, to: target, loop: loop)
      return (proxy.address, { ProxyFigures.text(proxy.read(), target: "\(target)") }, proxy.stop)
    }
  }

  private func conditions(_ arguments: Arguments) throws(ArgumentError) -> LinkConditions {
    let latency = try arguments.value("--latency") { try Duration(parsing: $0) } ?? .zero
    return LinkConditions(
      up: DirectionConditions(rate: try rate("--up", arguments), latency: latency),
      down: DirectionConditions(rate: try rate("--down", arguments), latency: latency),
      buffer: try arguments.value("--buffer", Self.buffer) ?? LinkConditions.defaultBuffer)
  }

  private static let linkOptions = ["--up", "--down", "--latency", "--buffer"]

  private func rate(_ option: String, _ arguments: Arguments) throws(ArgumentError) -> Pace {
    try arguments.value(option) { text in
      switch text {
      case "unlimited": .unlimited
      case "offline": .offline
      default: .limited(try DataRate(parsing: text))
      }
    } ?? .unlimited
  }

  private static func buffer(_ text: String) throws(QuantityError) -> ByteCount {
    let buffer = try ByteCount(parsing: text)
    guard buffer >= LinkConditions.smallestBuffer else {
      throw QuantityError("the smallest buffer is \(LinkConditions.smallestBuffer)")
    }
    return buffer
  }
}
