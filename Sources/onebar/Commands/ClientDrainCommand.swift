import Captures
import FoundationEssentials
import Quantities
import Reports
import UploadAdapters
import Uploads

struct ClientDrainCommand: CommandLineCommand {
  let command = Command(
    ["client", "drain"],
    help: """
      usage: onebar client drain --outbox DIR --engine URL [OPTIONS]

      Sends what an outbox keeps, in the order in which it was kept, until all has landed or
      is parked. After a failure that may pass it comes back every 60 s, and goes on with
      the steps that have not landed. What is added meanwhile is sent, too. On a terminal
      one line is redrawn; a line stays for each entry that is done, refused or has failed.

        --outbox DIR    the folder of the outbox
        --engine URL    http://HOST:PORT or https://HOST:PORT, direct or through a proxy
        --policy NAME   before, after or beyond: the limits and the lines; default after
        --once          one pass: the first failure that may pass ends it
        --follow        goes on when all has landed, for what is added later
        --cacert FILE   trusts the certificates in this PEM file instead of the system's
        --json          events as lines of JSON
        --quiet         no lines but the last

      First it asks who is at the address: to anything but an engine nothing is sent.
      Ctrl-C cuts the request in flight; what has landed is noted, and the next drain goes on.

      exit codes: 0 all has landed, 1 something is left or parked, 2 nothing could be done,
      130 interrupted

      example
        onebar client drain --outbox outbox --engine http://127.0.0.1:8080
      """,
    options: ["--outbox", "--engine", "--policy", "--cacert"].map { .value($0) }
      + ["--once", "--follow", "--json", "--quiet"].map { .flag($0) })

  func run(_ arguments: Arguments) async throws -> ExitCode {
    let folder = try ClientByHand.outbox(arguments, of: "drain")
    guard let engine = try arguments.value("--engine", { try EngineAddress(parsing: $0) }) else {
      throw ArgumentError.missingOption("--engine URL", command: "client drain")
    }
    var policy = try arguments.value("--policy", Self.policy) ?? .after
    policy.numbers = NumberStyle(environment: ProcessInfo.processInfo.environment)
    if arguments.has("--once"), arguments.has("--follow") {
      throw ArgumentError.badValue(
        option: "--once", reason: "it ends after a pass, and --follow never; leave out one")
    }
    let client = ClientByHand()
    let authorities = arguments.value("--cacert")
    if let authorities, try client.files.kind(of: authorities) != .file {
      throw ArgumentError.badValue(option: "--cacert", reason: "\(authorities): no such file")
    }
    try client.expectOutbox(folder)

    EndRequest.watch()
    let view = DrainView(
      folder: folder,
      mode: arguments.has("--json") ? .json : arguments.has("--quiet") ? .quiet : .lines)
    let transport = CurlTransport(engine: engine.url, authorities: authorities)
    let drain = DrainByHand(
      folder: folder, policy: policy,
      extent: arguments.has("--once")
        ? .onePass : arguments.has("--follow") ? .untilStopped : .untilSettled,
      mint: client.mint, transport: transport, fileSystem: client.files, clock: client.clock,
      linkCheck: MachineLinkCheck(engineHost: engine.host), digest: { SHA256Digest() },
      tell: { view.take($0) })
    let ending: DrainByHand.Ending
    do {
      ending = try await Self.ending(of: drain, on: client.clock)
    } catch let error as FileSystemError {
      view.end()
      Terminal.complain(ClientByHand.words(error, folder))
      return .usage
    }
    view.end(ending, engine: engine.url)
    transport.shutdown()
    if ending.isStopped { return .interrupted }
    if ending.stranger != nil { return .usage }
    return ending.left + ending.parked == 0 ? .passed : .failed
  }

  /// Runs the drain until its end, or until Ctrl-C.
  private static func ending(
    of drain: DrainByHand, on clock: ScaledClock
  ) async throws -> DrainByHand.Ending {
    try await withThrowingTaskGroup(of: DrainByHand.Ending?.self) { group in
      group.addTask { try await drain.run() }
      group.addTask {
        while !EndRequest.hasCome {
          try? await clock.sleep(until: clock.now + .milliseconds(50))
          if Task.isCancelled { break }
        }
        return nil
      }
      var ending: DrainByHand.Ending?
      while let next = try await group.next() {
        group.cancelAll()
        ending = next ?? ending
      }
      guard let ending else { throw CancellationError() }
      return ending
    }
  }

  private static func policy(_ name: String) throws(QuantityError) -> UploadPolicy {
    guard let policy = UploadPolicy.named.first(where: { $0.name == name }) else {
      let names = UploadPolicy.named.map(\.name).joined(separator: ", ")
      throw QuantityError("\"\(name)\" is no policy; there are: \(names)")
    }
    return policy
  }
}
