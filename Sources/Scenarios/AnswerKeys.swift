import Quantities
import ScratchEngine

/// The keys of an answer that the script gives: what it says, among the keys of `then`.
enum AnswerKeys {
  private static let status = Reading<UInt64>.whole(200...599, example: "503")
  private static let portal = "portal"
  private static let word = Reading<String>.word([portal])

  static let answer = Field(
    "answer",
    Reading<ScriptedAnswer.Content>(schema: .anyOf([status.schema, word.schema])) {
      node, problems in
      if case .scalar(let text) = node.content, text.first?.isLetter == true {
        return word.read(node, &problems).map { _ in ScriptedAnswer.portal.content }
      }
      return status.read(node, &problems).map {
        .made(status: Int($0), headers: [], body: nil, length: nil)
      }
    },
    """
    An answer with this status in place of the engine's own; portal is the page of HTML, with 200, \
    by which a network asks for a login.
    """)
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
  static let length = Field(
    "length", Reading<ByteCount>.size(ScenarioLimits.scriptedBytes, example: "300 B").placed,
    "What that answer says of its length, more than its body has; the connection ends behind it.")
  static let raw = Field(
    "raw", .content(example: "not HTTP"),
    "All that is sent in place of an answer, as it is; the connection ends behind it.")

  static let known = [answer.known, headers.known, body.known, length.known, raw.known]

  /// Nil when there is none, or none that is right.
  static func take(from record: inout RecordReader) -> ScriptedAnswer.Content? {
    let made = record.take(answer)
    let text = record.take(raw)
    let lines = record.take(headers) ?? []
    let ownBody = record.take(body)
    let claimed = record.take(length)
    if record.mark(of: answer.key) == nil {
      for key in [headers.key, body.key, length.key] {
        if let mark = record.mark(of: key) { record.problems.add(.withoutAnswer(key), at: mark) }
      }
    }
    guard case .made(let status, var headers, let usualBody, _) = made else {
      return text.map { .raw($0) }
    }
    for key in [body.key, length.key] where [204, 304].contains(status) {
      if let mark = record.mark(of: key) {
        record.problems.add(.statusWithoutBody(status), at: mark)
      }
    }
    let own = lines.compactMap { line in
      line.value.map { HeaderLine(name: line.name, value: $0) }
    }
    headers.removeAll { usual in own.contains { $0.name.lowercased() == usual.name.lowercased() } }
    let body = ownBody ?? usualBody
    let content = ScriptedAnswer.Content.made(
      status: status, headers: headers + own, body: body, length: claimed?.value.bytes)
    if let claimed, case let bytes = ScriptedAnswer(content).bodyBytes, claimed.value.bytes <= bytes
    {
      record.problems.add(.lengthNotLonger(claimed.value, body: bytes), at: claimed.mark)
    }
    return content
  }
}
