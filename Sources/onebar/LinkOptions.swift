import LinkModel
import Quantities
import Scenarios

/// The options that describe a link by hand.
enum LinkOptions {
  static let help = """
      --preset NAME        a published link, such as nlc-edge; what follows goes over it
      --up RATE            such as 20KB/s or 160kbit/s, or unlimited, or offline;
                           default unlimited
      --down RATE          the same, towards the client
      --trace-up FILE      instead of a rate, a trace in Mahimahi's format: a line in
                           milliseconds for each packet that may leave
      --trace-down FILE    the same, towards the client
      --latency TIME       each way, such as 100ms; default none
      --jitter TIME        packets arrive earlier or later by up to this
      --loss SHARE         such as 1%: so many packets arrive late by a round trip and
                           200 ms, as if sent again (approximate)
      --seed N             for what is left to chance; default 0
      --buffer SIZE        bytes of a connection that the link takes in before they
                           cross, kernel bytes included; default 64KB, at least 32KB
      --fault TEXT         what happens to connections, as in a scenario's link: such as
                           "cut: { up: 500 KB }, as: reset", "dark: 20 s",
                           "refuse: connections, until: 60 s"; may be given again
    """

  static let names = [
    "--preset", "--up", "--down", "--trace-up", "--trace-down", "--latency", "--jitter", "--loss",
    "--buffer",
  ]

  static func areGiven(in arguments: Arguments) -> Bool { names.contains(where: arguments.has) }

  /// Of each kind the first that fits a connection acts.
  static func faults(_ arguments: Arguments) throws(ArgumentError) -> [ConnectionFault] {
    var faults: [ConnectionFault] = []
    for text in arguments.values("--fault") {
      do throws(QuantityError) {
        faults.append(try ConnectionFault(parsing: text))
      } catch {
        throw .badValue(option: "--fault", reason: error.description)
      }
    }
    return faults
  }

  static func preset(_ arguments: Arguments) throws(ArgumentError) -> LinkPreset? {
    try arguments.value("--preset") { name in
      guard let preset = LinkPreset(named: name) else {
        throw QuantityError(ScenarioProblem.unknownPreset(name).text)
      }
      return preset
    }
  }

  static func seed(_ arguments: Arguments) throws(ArgumentError) -> UInt64 {
    try arguments.value("--seed", Numbers.seed) ?? 0
  }

  /// The link that is asked for; without options, one that lets everything through at once.
  static func conditions(_ arguments: Arguments) throws(ArgumentError) -> LinkConditions {
    let free = DirectionConditions(rate: .unlimited)
    var link = try preset(arguments)?.conditions() ?? LinkConditions(up: free, down: free)
    if let up = try rate("up", arguments) { link.up.rate = up }
    if let down = try rate("down", arguments) { link.down.rate = down }
    if let latency = try arguments.value(
      "--latency", { try Numbers.time($0, in: ScenarioLimits.latency) })
    {
      link.up.latency = latency
      link.down.latency = latency
    }
    if let jitter = try arguments.value(
      "--jitter", { try Numbers.time($0, in: ScenarioLimits.jitter) })
    {
      link.up.jitter = jitter
      link.down.jitter = jitter
    }
    let stall = Loss.stall(roundTrip: link.up.latency + link.down.latency)
    let asked = try arguments.value("--loss", share)
    link.up.loss = (asked ?? link.up.loss?.ratio).map { Loss(ratio: $0, stall: stall) }
    link.down.loss = (asked ?? link.down.loss?.ratio).map { Loss(ratio: $0, stall: stall) }
    if let buffer = try arguments.value(
      "--buffer", { try Numbers.size($0, in: ScenarioLimits.buffer) })
    {
      link.buffer = buffer
    }
    return link
  }

  /// `name` is up or down.
  private static func rate(
    _ name: String, _ arguments: Arguments
  ) throws(ArgumentError) -> Pace? {
    let rate: Pace? = try arguments.value("--\(name)") { text in
      switch text {
      case "unlimited": .unlimited
      case "offline": .offline
      default: .limited(try Numbers.rate(text, in: ScenarioLimits.rate))
      }
    }
    guard let file = try arguments.value("--trace-\(name)", { $0 }) else { return rate }
    guard rate == nil else {
      throw .badValue(option: "--trace-\(name)", reason: "it stands instead of --\(name)")
    }
    return .trace(try ScenarioFile.trace(file))
  }

  private static func share(_ text: String) throws(QuantityError) -> Double {
    let ratio = try Quantities.share(parsing: text)
    guard ScenarioLimits.loss.contains(ratio) else {
      throw QuantityError("\"\(text)\" is out of range; it can be up to 90 %")
    }
    return ratio
  }
}
