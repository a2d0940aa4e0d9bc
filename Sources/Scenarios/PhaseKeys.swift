import Quantities
import ScratchEngine

/// The value of `at`: a word, or a place under one.
enum PhaseKeys {
  private static let bytes = Reading<ByteCount>.size(
    ScenarioLimits.scriptedBytes, example: "500 KB")
  private static let time = Reading<Duration>.duration(
    ScenarioLimits.scriptedTime, example: "30 s")

  static let body = Field(
    "body",
    Reading<ScriptPhase>(schema: .anyOf([bytes.schema, time.schema])) { node, problems in
      if case .scalar(let text) = node.content, isTime(text) {
        return time.read(node, &problems).map { .bodyTime($0) }
      }
      return bytes.read(node, &problems).map { .body($0.bytes) }
    },
    "So many bytes of the body have been read, or it has been coming for so long since its head.")
  static let silence = Field(
    "silence", .duration(ScenarioLimits.quiet, example: "60 s"),
    "No byte of the body has come for so long.")
  static let answer = Field(
    "answer", .size(ScenarioLimits.scriptedBytes, example: "20 B"),
    "So many bytes of the answer, its head included, have been sent.")

  private static let words: [(String, ScriptPhase)] = [
    ("connect", .connect), ("head", .head), ("whole", .whole), ("stored", .stored),
  ]
  private static let word = Reading<String>.word(words.map(\.0))
  private static let place = Reading<ScriptPhase>.record(
    [body.known, silence.known, answer.known], oneOf: [body.key, silence.key, answer.key]
  ) { record in
    let (body, answer) = (record.take(body), record.take(answer))
    return body ?? record.take(silence).map { .silence($0) } ?? answer.map { .answer($0.bytes) }
  }

  static let reading = Reading<ScriptPhase>(
    schema: .anyOf([word.schema, place.schema])
  ) { node, problems in
    if case .mapping = node.content { return place.read(node, &problems) }
    let read = word.read(node, &problems)
    return words.first { $0.0 == read }?.1
  }

  /// Whether a number has a unit of time; anything else is read as a size, and refused as one.
  private static func isTime(_ text: String) -> Bool {
    (try? Duration(parsing: text)) != nil
  }
}
