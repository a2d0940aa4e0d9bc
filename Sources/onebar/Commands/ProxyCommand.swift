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
             onebar proxy --presets [--json]
             onebar proxy --self-test [OPTIONS]

      Carries TCP connections over a modelled link, until Ctrl-C. All connections share
      the one link, unless each is given its own.

        --to HOST:PORT       the server; an IPv4 address or localhost
        --listen HOST:PORT   default 127.0.0.1:0, any free port
      \(LinkOptions.help)
        --per-connection     each connection has a link of its own, with these rates
        --quiet              nothing on standard error but errors
        --presets            lists the presets with what they apply and where it was read;
                             with --json, what was published as well
        --self-test          measures this link on this machine, from a client's and a
                             server's side, and says whether it is as asked (exit code 4
                             when not); without a link, four usual ones

      Its first line says where it listens. On standard error it prints the link, then a
      line with figures whenever they have changed, at most once a second.

      examples
        onebar proxy --to 127.0.0.1:8080 --up 20KB/s --down 200KB/s --latency 100ms
        onebar proxy --to 127.0.0.1:8080 --preset nlc-edge --buffer 500KB
        onebar proxy --self-test --up 20KB/s --latency 100ms
      """,
    options: ["--to", "--listen", "--seed"].map { .value($0) }
      + LinkOptions.names.map { .value($0) }
      + ["--per-connection", "--quiet", "--presets", "--json", "--self-test"].map { .flag($0) })

  func run(_ arguments: Arguments) throws -> ExitCode {
    if arguments.has("--presets") {
      Terminal.print(arguments.has("--json") ? PresetList.json : PresetList.text)
      return .passed
    }
    if arguments.has("--json") {
      throw ArgumentError.badValue(option: "--json", reason: "only the list of --presets has it")
    }
    let preset = try LinkOptions.preset(arguments)
    let conditions = try LinkOptions.conditions(arguments)
    let random = try LinkOptions.random(arguments)
    if arguments.has("--self-test") {
      return try LinkSelfTest.run(
        LinkOptions.areGiven(in: arguments) ? [conditions] : LinkSelfTest.usual)
    }
    guard let target = try arguments.value("--to", { try SocketAddress(parsing: $0) }) else {
      throw ArgumentError.missingOption("--to HOST:PORT", command: "proxy")
    }
    let listen =
      try arguments.value("--listen") { try SocketAddress(parsing: $0) } ?? SocketAddress(port: 0)
    let isQuiet = arguments.has("--quiet")
    return try PartByHand.run(quiet: isQuiet) { loop throws(SystemFailure) in
      let proxy = try LinkProxy(
        conditions, listen: listen, to: target, loop: loop,
        isShared: !arguments.has("--per-connection"), random: random)
      if !isQuiet { Terminal.note(ProxyFigures.text(conditions, preset: preset)) }
      return (proxy.address, { ProxyFigures.text(proxy.read(), target: "\(target)") }, proxy.stop)
    }
  }
}
