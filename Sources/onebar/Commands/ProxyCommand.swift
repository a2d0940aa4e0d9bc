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
             onebar proxy --api HOST:PORT [--config FILE] [OPTIONS]
             onebar proxy --presets [--json]
             onebar proxy --self-test [OPTIONS]

      Carries TCP connections over a modelled link, until Ctrl-C. All connections share
      the one link, unless each is given its own.

        --to HOST:PORT       the server; an IPv4 address or localhost
        --listen HOST:PORT   default 127.0.0.1:0, any free port
      \(LinkOptions.help)
        --per-connection     each connection has a link of its own, with these rates
        --api HOST:PORT      speaks toxiproxy's HTTP protocol, such as 127.0.0.1:8474: its
                             clients create proxies and lay toxics on them; --to is
                             then the first of them, named onebar
        --config FILE        proxies to begin with, as toxiproxy's file has them
        --quiet              nothing on standard error but errors
        --presets            lists the presets with what they apply and where it was read
        --json               the list as JSON, with what was published as well
        --self-test          measures this link on this machine, from a client's and a
                             server's side, and says whether it is as asked (exit code 4
                             when not); without a link, four usual ones

      Its first line says where it listens; with --api, a line says where the API does. On
      standard error it prints the link, then a line with figures whenever they have
      changed, at most once a second.

      examples
        onebar proxy --to 127.0.0.1:8080 --up 20KB/s --down 200KB/s --latency 100ms
        onebar proxy --to 127.0.0.1:8080 --preset nlc-edge --buffer 500KB
        onebar proxy --to 127.0.0.1:8080 --fault "cut: { down: 20 B }, as: silence"
        onebar proxy --api 127.0.0.1:8474
        onebar proxy --self-test --up 20KB/s --latency 100ms
      """,
    options: ["--to", "--listen", "--seed", "--api", "--config"].map { .value($0) }
      + LinkOptions.names.map { .value($0) } + [.value("--fault", repeats: true)]
      + ["--per-connection", "--quiet", "--presets", "--json", "--self-test"].map { .flag($0) })

  func run(_ arguments: Arguments) throws -> ExitCode {
    if arguments.has("--presets") {
      Terminal.print(arguments.has("--json") ? PresetList.json : PresetList.text)
      return .passed
    }
    if arguments.has("--json") {
      throw ArgumentError.badValue(option: "--json", reason: "only the list of --presets has it")
    }
    var conditions = try LinkOptions.conditions(arguments)
    conditions.faults = try LinkOptions.faults(arguments)
    if arguments.has("--self-test") {
      guard conditions.faults.isEmpty else {
        throw ArgumentError.badValue(
          option: "--fault", reason: "a self-test measures a link without")
      }
      let foreign = ["--to", "--listen", "--api", "--config", "--per-connection", "--seed"]
      for option in foreign where arguments.has(option) {
        throw ArgumentError.badValue(
          option: option, reason: "a self-test measures a link of its own, without a draw")
      }
      return try LinkSelfTest.run(
        LinkOptions.areGiven(in: arguments) ? [conditions] : LinkSelfTest.usual)
    }
    if let api = try arguments.value("--api", { try SocketAddress(parsing: $0) }) {
      return try control(from: api, conditions, arguments)
    }
    return try carry(conditions, arguments)
  }

  private func carry(
    _ conditions: LinkConditions, _ arguments: Arguments
  ) throws -> ExitCode {
    guard let target = try Self.target(arguments) else {
      throw ArgumentError.missingOption("--to HOST:PORT or --api HOST:PORT", command: "proxy")
    }
    if arguments.value("--config") != nil {
      throw ArgumentError.badValue(option: "--config", reason: "it goes with --api")
    }
    let listen = try Self.listen(arguments)
    let preset = try LinkOptions.preset(arguments)
    let seed = try LinkOptions.seed(arguments)
    let isQuiet = arguments.has("--quiet")
    return try PartByHand.run(quiet: isQuiet) { loop in
      let proxy = try LinkProxy(
        conditions, listen: listen, to: target, loop: loop,
        isShared: !arguments.has("--per-connection"), random: SeededRandom(seed: seed))
      if !isQuiet { Terminal.note(ProxyFigures.text(conditions, preset: preset)) }
      return (
        "listening on \(proxy.address)",
        { ProxyFigures.text(proxy.read(), target: "\(target)") },
        { proxy.stop() }
      )
    }
  }

  private func control(
    from api: SocketAddress, _ conditions: LinkConditions, _ arguments: Arguments
  ) throws -> ExitCode {
    if arguments.has("--per-connection") {
      throw ArgumentError.badValue(
        option: "--per-connection", reason: "with --api all connections of a proxy share its link")
    }
    guard conditions.faults.isEmpty else {
      throw ArgumentError.badValue(
        option: "--fault", reason: "with --api toxics are laid on connections, and faults are not")
    }
    let listen = try Self.listen(arguments)
    let given = try Self.target(arguments).map {
      ProxyRecord(name: "onebar", listen: listen, upstream: "\($0)", link: conditions)
    }
    return try ControlledProxy(
      api: api, given: given,
      config: try arguments.value("--config").map { ($0, try ScenarioFile.read($0)) },
      seed: try LinkOptions.seed(arguments)
    ).run(quiet: arguments.has("--quiet"))
  }

  private static func target(_ arguments: Arguments) throws(ArgumentError) -> SocketAddress? {
    try arguments.value("--to") { try SocketAddress(parsing: $0) }
  }

  private static func listen(_ arguments: Arguments) throws(ArgumentError) -> SocketAddress {
    try arguments.value("--listen") { try SocketAddress(parsing: $0) } ?? SocketAddress(port: 0)
  }
}
