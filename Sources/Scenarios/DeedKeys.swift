import Quantities
import ScratchEngine

/// The keys of `then`: one action, and the phase at which it happens, whose place it has.
enum DeedKeys {
  static let at = Field(
    "at", PhaseKeys.reading,
    """
    connect: the connection was accepted, and nothing is read; head: its head was read; \
    { body: N }: N bytes of its body were, or it has been coming for a time N; { silence: T }: then \
    none came for so long; whole (when left out): all of it was, and nothing is stored; stored (when \
    left out beside dribble): what it brought is stored, and nothing is answered; { answer: N }: N \
    bytes of the answer were sent. A place that a body or an answer does not come to is never reached.
    """)
  static let delay = Field(
    "delay", .duration(ScenarioLimits.engineTime, example: "5 s"),
    "What comes next (the first read, the commit, the answer, the rest of it) comes this much later."
  )
  static let stall = Field(
    "stall", .duration(ScenarioLimits.engineTime, example: "100 s"),
    "Nothing is read for this long, so that the path fills up.")
  static let holdContinue = Field(
    "continue", held,
    """
    A client that waits for 100 Continue (at: head, also when left out) is sent it so much later, \
    or never; its body is read whenever it comes.
    """)
  private static let heldTime = Reading<Duration>.duration(
    ScenarioLimits.quiet, example: "5 s")
  private static let held = Reading<ScriptAction>(
    schema: .anyOf([heldTime.schema, .words(["never"])])
  ) { node, problems in
    if case .scalar(let text) = node.content, !text.isEmpty, text.allSatisfy(\.isLetter) {
      if text == "never" { return .holdContinue(nil) }
      problems.add(.unknownWord(text, known: ["never"]), at: node.mark)
      return nil
    }
    return heldTime.read(node, &problems).map { .holdContinue($0) }
  }
  static let close = Field(
    "close", Reading<ScriptedClose>.oneOfItsWords,
    """
    The connection ends, behind an answer if there is one here: end is a FIN, and what still \
    comes is thrown away; reset loses what has not crossed; silence reads and says nothing more \
    and leaves the end to the client.
    """)
  static let after = Field(
    "after", .duration(ScenarioLimits.engineTime, example: "1 s"),
    "From the answer to that close; before a reset, a FIN follows the answer at once.")
  static let dribble = Field(
    "dribble", .size(ScenarioLimits.scriptedBytes, example: "1 B"),
    "The answer, or what is left of it, goes out in pieces of so many bytes.")
  static let every = Field(
    "every", .duration(ScenarioLimits.dribblePause, example: "10 s"),
    "From one such piece to the next.")

  static let reading = Reading<Placed<ScriptedDeed>>.record(
    [at.known] + AnswerKeys.known + [
      delay.known, stall.known, close.known, after.known, dribble.known, every.known,
      holdContinue.known,
    ]
  ) { record in
    let hasPhase = record.mark(of: at.key) != nil
    let phase = record.take(at)
    let action = action(&record)
    guard let action, !hasPhase || phase != nil else { return nil }
    let deed = ScriptedDeed(at: phase ?? action.usualPhase, action)
    let mark = record.mark(of: at.key) ?? record.mark
    if let mismatch = deed.mismatch {
      record.problems.add(.mismatch(mismatch), at: mark)
      return nil
    }
    return Placed(value: deed, mark: mark)
  }

  private static func action(_ record: inout RecordReader) -> ScriptAction? {
    let answers = [AnswerKeys.answer.key, AnswerKeys.raw.key]
    let details = [close.key, dribble.key]
    let kinds = answers + [delay.key, stall.key] + details + [holdContinue.key]
    let found = kinds.filter { record.mark(of: $0) != nil }
    let content = AnswerKeys.take(from: &record)
    let time = record.take(delay) ?? record.take(stall)
    let way = record.take(close)
    let later = record.take(after)
    record.pair(dribble, with: every)
    let (bytes, pause) = (record.take(dribble), record.take(every))
    let pieces =
      if let bytes, let pause { ScriptedDribble(bytes: bytes.bytes, every: pause) } else {
        ScriptedDribble?.none
      }
    let held = record.take(holdContinue)
    let isAnswer = found.contains(where: answers.contains)
    guard found.count == 1 || (isAnswer && found.dropFirst().allSatisfy(details.contains)) else {
      record.problems.add(.needsOneOf(kinds, found: found), at: record.mark)
      return nil
    }
    if let mark = record.mark(of: after.key), !isAnswer || !found.contains(close.key) {
      record.problems.add(.afterWithoutClose, at: mark)
    }
    if isAnswer {
      return content.map {
        .answer(ScriptedAnswer($0, close: way, closeAfter: later ?? .zero, dribble: pieces))
      }
    }
    if let way { return .close(way) }
    if let pieces { return .dribble(pieces) }
    if let held { return held }
    return time.map { found == [delay.key] ? .delay($0) : .stall($0) }
  }
}

extension ScriptAction {
  /// When it happens unless it is said.
  fileprivate var usualPhase: ScriptPhase {
    switch self {
    case .dribble: .stored
    case .holdContinue: .head
    case .answer, .delay, .stall, .close: .whole
    }
  }
}
