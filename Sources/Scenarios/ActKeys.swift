import Quantities

/// What `do` can say.
enum ActWord: String, Hashable, Sendable, CaseIterable {
  case kill
  case powerLoss = "power-loss"
  case start, refresh
  case sendNow = "send-now"
  case discard
  case fillDisk = "fill-disk"
  case freeDisk = "free-disk"
  case setClock = "set-clock"

  /// The key that says what it acts on, or how far; only it has that one.
  var ownKey: String? {
    switch self {
    case .setClock: "by"
    case .sendNow, .discard: "capture"
    case .kill, .powerLoss, .start, .refresh, .fillDisk, .freeDisk: nil
    }
  }
}

struct ActDraft {
  var at: Placed<Duration>
  var deed: Placed<Act.Deed>
  /// Where the capture that it acts on is named.
  var captureMark: Mark?
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
    kill ends the client's process, start starts it again, refresh asks it to send, send-now has a \
    capture sent whatever keeps it back, discard gives one up, set-clock lets the device's wall \
    clock jump. In virtual time only: power-loss ends the client and loses what \
    it had not synced, fill-disk lets its writes fail until free-disk.
    """)
  static let by = Field(
    "by", Reading<Duration>.jump(ScenarioLimits.clockJump, example: "-1 h"),
    "How far set-clock moves the wall clock; back with a minus.")
  static let capture = Field(
    "capture", Reading<String>.identifier.placed,
    "The capture that send-now or discard acts on, by its name; the first photo is photo-1.")

  static let reading = Reading<ActDraft>.record([at.known, word.known, by.known, capture.known]) {
    record in
    let at = record.take(at)
    let word = record.take(word)
    let by = record.take(by)
    let capture = record.take(capture)
    guard let word else { return nil }
    for known in [Self.by.known, Self.capture.known] {
      let isOwn = word.value.ownKey == known.key
      if let mark = record.mark(of: known.key) {
        let words = ActWord.allCases.filter { $0.ownKey == known.key }.map(\.rawValue)
        if !isOwn { record.problems.add(.keyOfOtherActs(known.key, acts: words), at: mark) }
      } else if isOwn {
        record.problems.add(
          .missingKey(known.key, example: "\(known.key): \(known.schema.example)"),
          at: record.mark)
      }
    }
    guard let at, let deed = deed(word.value, by: by, capture: capture?.value) else { return nil }
    return ActDraft(
      at: at, deed: Placed(value: deed, mark: word.mark), captureMark: capture?.mark)
  }

  /// Nil for a jump of unknown size, or a capture of unknown name.
  private static func deed(_ word: ActWord, by jump: Duration?, capture: String?) -> Act.Deed? {
    switch word {
    case .kill: .kill
    case .powerLoss: .powerLoss
    case .start: .start
    case .refresh: .refresh
    case .sendNow: capture.map { .sendNow($0) }
    case .discard: capture.map { .discard($0) }
    case .fillDisk: .fillDisk
    case .freeDisk: .freeDisk
    case .setClock: jump.map { .setClock(by: $0) }
    }
  }
}
