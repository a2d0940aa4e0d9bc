import Quantities

/// What `do` can say.
enum ActWord: String, Hashable, Sendable, CaseIterable {
  case kill
  case powerLoss = "power-loss"
  case start, refresh
  case fillDisk = "fill-disk"
  case freeDisk = "free-disk"
  case setClock = "set-clock"
}

struct ActDraft {
  var at: Placed<Duration>
  var deed: Placed<Act.Deed>
}

/// The keys of one item of `acts`.
enum ActKeys {
  static let at = Field(
    "at",
    Reading<Duration>.duration(
      Duration.zero...ScenarioLimits.horizon.upperBound, example: "40 s"
    ).placed,
    required: true, "When it happens.")
  static let word = Field(
    "do", Reading<ActWord>.oneOfItsWords.placed, required: true,
    """
    kill ends the client's process, start starts it again, refresh asks it to send, set-clock lets \
    the device's wall clock jump. In virtual time only: power-loss ends the client and loses what \
    it had not synced, fill-disk lets its writes fail until free-disk.
    """)
  static let by = Field(
    "by", Reading<Duration>.jump(ScenarioLimits.clockJump, example: "-1 h"),
    "How far set-clock moves the wall clock; back with a minus.")

  static let reading = Reading<ActDraft>.record([at.known, word.known, by.known]) { record in
    let at = record.take(at)
    let word = record.take(word)
    let by = record.take(by)
    guard let word else { return nil }
    if let mark = record.mark(of: "by") {
      if word.value != .setClock { record.problems.add(.byWithoutSetClock, at: mark) }
    } else if word.value == .setClock {
      record.problems.add(
        .missingKey("by", example: "by: \(Self.by.known.schema.example)"), at: record.mark)
    }
    guard let at, let deed = deed(word.value, by: by) else { return nil }
    return ActDraft(at: at, deed: Placed(value: deed, mark: word.mark))
  }

  /// Nil for a jump of unknown size.
  private static func deed(_ word: ActWord, by jump: Duration?) -> Act.Deed? {
    switch word {
    case .kill: .kill
    case .powerLoss: .powerLoss
    case .start: .start
    case .refresh: .refresh
    case .fillDisk: .fillDisk
    case .freeDisk: .freeDisk
    case .setClock: jump.map { .setClock(by: $0) }
    }
  }
}
