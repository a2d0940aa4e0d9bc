import Captures
import Quantities
import Uploads

/// The keys of one item of `variants`: a named policy and the settings in which it differs, or a
/// command.
enum VariantKeys {
  static let client = Field(
    "client", Reading<UploadPolicy.Client>.oneOfItsWords, required: true,
    unless: CommandKeys.command.key,
    """
    The built-in client that is run: outbox keeps what is saved on the device, card is a web page \
    that keeps it in memory, sends files as they were picked, and tries again only when asked to.
    """)
  static let policy = Field(
    "policy", .word(UploadPolicy.named.map(\.name)), required: true,
    unless: CommandKeys.command.key,
    "The named set of settings to start from.")
  static let idle = Field(
    "idle", idleRule,
    """
    How long a file's body may stand still: a time, or "from body" (body / 15 KB/s, at least 120 s).
    """)
  static let ceiling = Field(
    "ceiling", .duration(ScenarioLimits.wait, example: "180 s"),
    "How long one request with a file may take in all.")
  static let line = Field(
    "line", Reading<UploadPolicy.LineStyle>.oneOfItsWords,
    "What the user is shown: four fixed labels, or a live line.")
  static let coalescing = Field(
    "coalescing", .yesOrNo,
    "Whether a drain asked for during a pass asks for one more pass, or is dropped.")
  static let cut = Field(
    "cut", Reading<UploadPolicy.Cut>.oneOfItsWords,
    "How a limit ends a request: reset discards what has not crossed, close lets it be delivered.")
  static let syncPause = Field(
    "sync-pause", .duration(ScenarioLimits.wait, example: "60 s"),
    "From the end of a pass to the next one of the sync loop.")
  static let sendBuffer = Field(
    "send-buffer", .size(ScenarioLimits.sendBuffer, example: "16 KB"),
    "SO_SNDBUF of the client's sockets.")
  static let doneSet = Field(
    "done-set", .yesOrNo,
    "Whether a retry goes on after the steps that have landed, or starts from the record.")
  static let stableIDs = Field(
    "stable-ids", .yesOrNo,
    "Whether a retry uses the ids that were minted at the save, or each try mints its own.")
  static let order = Field(
    "order", Reading<UploadPolicy.Order>.oneOfItsWords,
    "In which order a pass sends: as captured, the newest first, or an original before its copy.")
  static let holdSlow = Field(
    "hold-slow", .yesOrNo,
    """
    Whether a capture whose file the ceiling has cut is held until the user sends it or the link \
    has shown the rate that it needs, or is sent again by each pass.
    """)
  static let backOff = Field(
    "back-off", .yesOrNo,
    """
    Whether a capture whose whole file was refused three times rests, for 120 s and then twice as \
    long each time, at most 900 s.
    """)
  static let strangers = Field(
    "strangers", Reading<UploadPolicy.Strangers>.oneOfItsWords,
    """
    What a 4xx means that is not in the engine's own words, such as a portal's: it parks the \
    capture, or the capture waits. A 400 always parks.
    """)

  static let counting = Field(
    "counting", Reading<UploadPolicy.Counting>.oneOfItsWords,
    "Which bytes of a body count: those that the socket has taken, or that were acknowledged.")

  static let locale = Field(
    "locale", numberStyle,
    "The locale of the client's device: its language decides the decimal separator of the line.")

  /// Those of any language; a name that looks like none is a mistake.
  private static let numberStyle = Reading<NumberStyle>.scalar(
    .text(pattern: "^[a-z]{2,3}(_[A-Z]{2})?$", example: "de_DE")
  ) { text throws(Refusal) in
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (2...3).contains(parts[0].utf8.count),
      parts[0].utf8.allSatisfy({ (0x61...0x7a).contains($0) }),
      parts.dropFirst().allSatisfy({ part in
        part.utf8.count == 2 && part.utf8.allSatisfy { (0x41...0x5a).contains($0) }
      })
    else {
      throw Refusal(.unknownWord(text, known: ["en_US", "de_DE", "fr_CA", "ar_EG", "hi_IN"]))
    }
    return NumberStyle(locale: text)
  }

  private static let limit = Reading<Duration>.duration(ScenarioLimits.wait)

  private static let idleRule = Reading<UploadPolicy.IdleRule>.scalar(
    .anyOf([limit.schema, .words(["from body"])])
  ) { text throws(Refusal) in
    if text == "from body" { return .fromBody(atLeast: .seconds(120)) }
    if text.allSatisfy({ $0.isLetter || $0 == " " }) {
      throw Refusal(.unknownWord(text, known: ["from body"]))
    }
    var problems = ProblemList()
    let value = limit.read(YAMLNode(.scalar(text), at: .start), &problems)
    guard let value else { throw Refusal(problems.items[0].problem) }
    return .fixed(value)
  }

  private static let settings = [
    client.known, policy.known, idle.known, ceiling.known, line.known, coalescing.known,
    cut.known, syncPause.known, sendBuffer.known, doneSet.known, stableIDs.known, order.known,
    holdSlow.known, backOff.known, strangers.known, counting.known, locale.known,
  ]
  private static let ofCommands = [
    CommandKeys.tty.known, CommandKeys.dilates.known, CommandKeys.sends.known,
    CommandKeys.figures.known,
  ]

  static let reading = Reading<TestedClient>.record(
    settings + [CommandKeys.command.known] + ofCommands
  ) { record in
    if record.mark(of: CommandKeys.command.key) != nil { return command(&record) }
    for detail in ofCommands {
      guard let mark = record.mark(of: detail.key) else { continue }
      record.problems.add(.needsKey(CommandKeys.command.key, for: detail.key), at: mark)
    }
    return policy(&record).map { .builtIn($0) }
  }

  private static func command(_ record: inout RecordReader) -> TestedClient? {
    for setting in settings {
      guard let mark = record.mark(of: setting.key) else { continue }
      record.problems.add(.settingOfBuiltIn(setting.key), at: mark)
    }
    let command = record.take(CommandKeys.command)
    let hasTerminal = record.take(CommandKeys.tty)
    let dilates = record.take(CommandKeys.dilates)
    let sends = record.take(CommandKeys.sends)
    let figures = record.take(CommandKeys.figures)
    guard let command else { return nil }
    return .command(
      ForeignClient(
        command: command.value, hasTerminal: hasTerminal ?? true, dilates: dilates ?? false,
        sends: sends?.compactMap { $0.flatMap(UploadStep.init(rawValue:)) },
        figures: figures ?? [], mark: command.mark))
  }

  private static func policy(_ record: inout RecordReader) -> UploadPolicy? {
    let client = record.take(client)
    let name = record.take(Self.policy)
    var policy = UploadPolicy.named.first { $0.name == name } ?? .before
    if let client { policy.client = client }
    if let idle = record.take(idle) { policy.idle = idle }
    if let ceiling = record.take(ceiling) { policy.ceiling = ceiling }
    if let line = record.take(line) { policy.line = line }
    if let coalescing = record.take(coalescing) { policy.coalescing = coalescing }
    if let cut = record.take(cut) { policy.cut = cut }
    if let pause = record.take(syncPause) { policy.syncPause = pause }
    if let size = record.take(sendBuffer) { policy.sendBuffer = size.bytes }
    if let doneSet = record.take(doneSet) { policy.doneSet = doneSet }
    if let stableIDs = record.take(stableIDs) { policy.stableIDs = stableIDs }
    if let order = record.take(order) { policy.order = order }
    if let holdSlow = record.take(holdSlow) { policy.holdsSlow = holdSlow }
    if let backOff = record.take(backOff) { policy.backsOff = backOff }
    if let strangers = record.take(strangers) { policy.strangers = strangers }
    if let counting = record.take(counting) { policy.counting = counting }
    if let numbers = record.take(locale) { policy.numbers = numbers }
    return name == nil ? nil : policy
  }
}
