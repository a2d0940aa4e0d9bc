import Quantities
import ScratchEngine

/// The keys of `then`: one action, and the phase at which it happens.
enum DeedKeys {
  static let at = Field(
    "at", PhaseKeys.reading,
    """
    head: its head was read; { body: N }: N bytes of its body were; { silence: T }: then none came \
    for so long; whole (when left out): all of \
    it was, and nothing is stored; stored: what it brought is stored, and nothing is answered; \
    { answer: N }: N bytes of the answer were sent.
    """)
  static let answer = Field(
    "answer", .whole(200...599, example: "503"),
    "An answer with this status in place of the engine's own.")
  static let headers = Field(
    "headers",
    Reading<[NamedItem<String>]>.named(
      .headerValue, count: 0...ScenarioLimits.headers, keyPattern: "^[^ :]+$"
    ) { name in
      if framing.contains(name.lowercased()) { return .framingHeader(name) }
      return isToken(name) ? nil : .notHeaderName(name)
    },
    "Headers of that answer, such as Retry-After.")
  private static let framing = ["content-length", "transfer-encoding"]
  static let body = Field(
    "body", .content(example: "<html>Please log in</html>"),
    "The body of that answer; the engine's words for a refusal when it is left out.")
  static let delay = Field(
    "delay", .duration(ScenarioLimits.engineTime, example: "5 s"),
    "What comes next (the commit, the answer, the rest of it) comes this much later.")
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

  static let reading = Reading<ScriptedDeed>.record([
    at.known, answer.known, headers.known, body.known, delay.known, stall.known, close.known,
    after.known, holdContinue.known,
  ]) { record in
    let hasPhase = record.mark(of: at.key) != nil
    let phase = record.take(at)
    let action = action(&record)
    guard let action, !hasPhase || phase != nil else { return nil }
    let deed = ScriptedDeed(at: phase ?? action.usualPhase, action)
    if let mismatch = deed.mismatch {
      record.problems.add(.mismatch(mismatch), at: record.mark(of: at.key) ?? record.mark)
      return nil
    }
    return deed
  }

  private static func action(_ record: inout RecordReader) -> ScriptAction? {
    let kinds = [answer.key, delay.key, stall.key, close.key, holdContinue.key]
    let found = kinds.filter { record.mark(of: $0) != nil }
    let isAnswer = record.mark(of: answer.key) != nil
    let lines = record.take(headers) ?? []
    let status = record.take(answer)
    let text = record.take(body)
    let time = record.take(delay) ?? record.take(stall)
    let way = record.take(close)
    let later = record.take(after)
    let held = record.take(holdContinue)
    guard found.count == 1 || found == [answer.key, close.key] else {
      record.problems.add(.needsOneOf(kinds, found: found), at: record.mark)
      return nil
    }
    for key in [headers.key, body.key] where !isAnswer {
      guard let mark = record.mark(of: key) else { continue }
      record.problems.add(.withoutAnswer(key), at: mark)
    }
    if let status, [204, 304].contains(status), let mark = record.mark(of: body.key) {
      record.problems.add(.statusWithoutBody(Int(status)), at: mark)
    }
    if let mark = record.mark(of: after.key), found.count == 1 {
      record.problems.add(.afterWithoutClose, at: mark)
    }
    if let status {
      let headers = lines.compactMap { line in
        line.value.map { HeaderLine(name: line.name, value: $0) }
      }
      return .answer(
        ScriptedAnswer(
          Int(status), headers: headers, body: text, close: way, closeAfter: later ?? .zero))
    }
    if isAnswer { return nil }
    if let way { return .close(way) }
    if let held { return held }
    return time.map { found == [delay.key] ? .delay($0) : .stall($0) }
  }
}

extension ScriptAction {
  /// When it happens unless it is said.
  fileprivate var usualPhase: ScriptPhase {
    if case .holdContinue = self { .head } else { .whole }
  }
}

/// The value of `at`: a word, or a number of bytes or a time under one.
enum PhaseKeys {
  static let body = Field(
    "body", .size(ScenarioLimits.scriptedBytes, example: "500 KB"),
    "So many bytes of the body have been read.")
  static let silence = Field(
    "silence", .duration(ScenarioLimits.quiet, example: "60 s"),
    "No byte of the body has come for so long.")
  static let answer = Field(
    "answer", .size(ScenarioLimits.scriptedBytes, example: "20 B"),
    "So many bytes of the answer, its head included, have been sent.")

  private static let words: [(String, ScriptPhase)] = [
    ("head", .head), ("whole", .whole), ("stored", .stored),
  ]
  private static let word = Reading<String>.word(words.map(\.0))
  private static let measured = Reading<ScriptPhase>.record(
    [body.known, silence.known, answer.known], oneOf: [body.key, silence.key, answer.key]
  ) { record in
    let (body, answer) = (record.take(body), record.take(answer))
    return record.take(silence).map { .silence($0) } ?? body.map { .body($0.bytes) }
      ?? answer.map { .answer($0.bytes) }
  }

  static let reading = Reading<ScriptPhase>(
    schema: .anyOf([word.schema, measured.schema])
  ) { node, problems in
    if case .mapping = node.content { return measured.read(node, &problems) }
    let read = word.read(node, &problems)
    return words.first { $0.0 == read }?.1
  }
}
