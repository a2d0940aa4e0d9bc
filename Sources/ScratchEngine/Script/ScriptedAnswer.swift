import Quantities
import ScratchHTTP

/// An answer that a rule gives in place of the engine's own.
package struct ScriptedAnswer: Hashable, Sendable {
  package var status: Int
  /// They replace fields of the same name.
  package var headers: [HeaderLine]
  /// Nil means the engine's own words for a refusal, and none for anything else.
  package var body: String?
  /// What happens to the connection behind the answer; nil means that it is kept, unless the body
  /// is still coming: then its stream is ended.
  package var close: ScriptedClose?
  /// From the answer to that close; before a reset, the end of the stream follows the answer at
  /// once.
  package var closeAfter: Duration

  package init(
    _ status: Int, headers: [HeaderLine] = [], body: String? = nil, close: ScriptedClose? = nil,
    closeAfter: Duration = .zero
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.close = close
    self.closeAfter = closeAfter
  }

  /// The connection is not kept behind it, by `close` or by a header of its own.
  private var closes: Bool {
    close != nil
      || headers.contains { line in
        [HeaderField(line.name, line.value)].members("Connection").contains("close")
      }
  }

  func reply(to request: OpenRequest, at now: Instant) -> EngineReply {
    EngineReply(
      answer: answer, at: now,
      closes: closes || !request.bodyHasEnded || !request.head.keepsAlive,
      // A client that hears of 417 sends the request again at once, and curl 7.88 only if the
      // connection is kept, and on that (RFC 9110 section 15.5.18).
      leavesBody: status == 417 && request.isWaiting && !closes && request.head.keepsAlive,
      deed: close.map { EngineReply.Deed(after: nil, action: .close($0, after: closeAfter)) })
  }

  private var answer: ServerAnswer {
    var answer = ServerAnswer(status: status)
    if let body {
      answer.body = Array(body.utf8)
    } else if status >= 400 {
      answer =
        Refusal(
          status: status, code: "scripted",
          message: "The script answers this attempt with \(status)."
        ).answer
    }
    answer.fields.removeAll { field in headers.contains { field.isNamed($0.name) } }
    answer.fields += headers.map { HeaderField($0.name, $0.value) }
    return answer
  }
}

/// One header line that a rule adds to an answer.
package struct HeaderLine: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}
