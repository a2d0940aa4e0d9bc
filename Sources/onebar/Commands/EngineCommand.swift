import Bench
import EngineServer
import EventLoop
import FoundationEssentials
import Quantities
import Reports
import Scenarios
import ScratchEngine

struct EngineCommand: CommandLineCommand {
  let command = Command(
    ["engine"],
    help: """
      usage: onebar engine [OPTIONS]

      The scratch server that uploads go to, until Ctrl-C. It keeps what is stored in memory,
      and in a folder when one is named.

        --listen HOST:PORT   default 127.0.0.1:0, any free port
        --script FILE        how it misbehaves: a YAML file with the keys that a scenario has
                             under engine (turn, keep-alive, script); its times run from the
                             start
        --seed N             for what its rules leave to chance; default 0
        --turn TIME          how long a turn takes; default none, or as the script says
        --live TIME          the same of a live call
        --heartbeat TIME     of a quiet event stream; default 30 s, or as the script says
        --ledger FILE        writes each request and connection there as it ends, a line of
                             JSON each; the file is made anew
        --store DIR          what is stored is kept in this folder, too, and is there again at
                             the next start
        --digest none        no SHA-256 is made, to try how fast a client can send; receipts
                             then have "sha256": null, and a client that checks them refuses
                             them; default sha256
        --tls FILE           HTTPS: a certificate for localhost, 127.0.0.1 and ::1 is made for
                             this start and written there in PEM; its key stays in memory
        --quiet              no lines for requests

      Its first line says where it listens, the second where the certificate is. On standard
      error a request gets a line when it is over: when, on which connection, its answer or
      who ended it and at which phase, body bytes in, bytes out, and how long it took.

      examples
        onebar engine --listen 127.0.0.1:8080 --turn 5s --store stored
        M=http://127.0.0.1:8080/api/moments/01J8Z0000000000000000000AB
        curl -X PUT $M -d '{"request_id":"e1","kind":"photo"}'
        curl -T photo.jpg "$M/media/m1?role=original"
        curl $M
        curl -F file=@photo.jpg http://127.0.0.1:8080/files/in

        onebar engine --listen 127.0.0.1:8443 --tls engine.pem
        curl --cacert engine.pem https://localhost:8443/api/health

      a script: the first original is cut in its middle, as a reset, and one health check in
      four meets the page of a network that wants a login
        script:
          - when: { step: original, attempt: 1 }
            then: { at: { body: 2 MB }, close: reset }
          - when: { path: "/api/health", chance: 25 % }
            then: { answer: portal }

      another: a connection is kept for 5 s, a silent body answered 408, Expect refused
        keep-alive: 5 s
        script:
          - when: { expect: 100-continue }
            then: { at: head, answer: 417 }
          - when: {}
            then: { at: { silence: 60 s }, answer: 408 }
      """,
    options: [
      "--listen", "--script", "--seed", "--turn", "--live", "--heartbeat", "--ledger", "--store",
      "--digest",
      "--tls",
    ].map { .value($0) }
      + [.flag("--quiet")])

  func run(_ arguments: Arguments) throws -> ExitCode {
    var script = EngineScript()
    if let path = arguments.value("--script") {
      switch try ScenarioFile.decodeScript(path) {
      case .success(let decoded): script = decoded
      case .failure(let errors):
        Terminal.note("\(errors)")
        return .usage
      }
    }
    let takes = ScenarioLimits.engineTime
    for (option, setting, range) in [
      ("--turn", \EngineScript.turnTakes, takes), ("--live", \.liveTakes, takes),
      ("--heartbeat", \.heartbeat, ScenarioLimits.wait),
    ] {
      let time = try arguments.value(option) { try Numbers.time($0, in: range) }
      if let time { script[keyPath: setting] = time }
    }
    let random = SeededRandom(seed: try LinkOptions.seed(arguments))
    let listen =
      try arguments.value("--listen") { try SocketAddress(parsing: $0) } ?? SocketAddress(port: 0)
    let isQuiet = arguments.has("--quiet")
    let log = EngineLog(
      isQuiet: isQuiet, file: try arguments.value("--ledger") { try LedgerFileWriter(path: $0) })
    let digests = try arguments.value("--digest", Self.digests) ?? true
    if !digests, arguments.has("--store") {
      throw ArgumentError.badValue(
        option: "--digest", reason: "a --store is checked by its digests; leave out one of the two")
    }
    let store = try arguments.value("--store") { try StoreFolder(path: $0) }
    store?.onFailure = { Terminal.complain($0) }
    let digest = digests ? { @Sendable () -> any BodyDigest in ParallelDigest() } : nil
    let certificate = arguments.value("--tls")
    let tls = try arguments.value("--tls") { try Self.tls(writingCertificateTo: $0) }
    return try PartByHand.run(quiet: isQuiet) { [script] loop in
      let server = try ScratchServer(
        script: script, listen: listen, clock: Self.wallClock(at: loop.now),
        digest: digest,
        kernelRoom: script.rules.isEmpty ? .any : .little, tls: tls, random: random, loop: loop)
      server.onEntry = log.add
      loop.beforeWaiting = log.flush
      if let store { try server.keepStore(in: store) }
      let lines =
        ["listening on \(server.address)"] + (certificate.map { ["certificate in \($0)"] } ?? [])
      return (
        lines.joined(separator: "\n"), { log.figures(server.engine.ledger) },
        {
          server.stop()
          log.flush()
        }
      )
    }
  }

  /// Whether receipts have them.
  private static func digests(_ text: String) throws(QuantityError) -> Bool {
    switch text {
    case "sha256": true
    case "none": false
    default:
      throw QuantityError("\"\(text)\" is none; it can be sha256 or none")
    }
  }

  private static func wallClock(at now: Instant) -> WallClock {
    let today = Int64(Date().timeIntervalSince1970 * 1_000)
    return WallClock(epoch: today - now.nanoseconds / 1_000_000)
  }

  private static func tls(writingCertificateTo path: String) throws -> TLSServer {
    let certificate = try SelfSignedCertificate()
    try WholeFile.write(Array(certificate.pem.utf8), to: path)
    return try TLSServer(certificate)
  }
}
