import Quantities
import ScratchHTTP

/// An answer that a rule gives in place of the engine's own.
package struct ScriptedAnswer: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// Headers replace fields of the same name. Without a body it has the engine's own words for a
    /// refusal, and none for anything else. With a length it says that its body is so long, which is
    /// more than is sent.
    case made(status: Int, headers: [HeaderLine], body: String?, length: Int?)
    /// All that is sent, whatever it is.
    case raw(String)
  }

  package var content: Content
  /// What happens to the connection behind the answer; nil means that it is kept, unless the body
  /// is still coming or the answer is not whole: then its stream is ended.
  package var close: ScriptedClose?
  /// From the answer to that close; before a reset, the end of the stream follows the answer at
  /// once.
  package var closeAfter: Duration
  /// How it goes out; nil means in one piece.
  package var dribble: ScriptedDribble?

  package init(
    _ content: Content, close: ScriptedClose? = nil, closeAfter: Duration = .zero,
    dribble: ScriptedDribble? = nil
  ) {
    self.content = content
    self.close = close
    self.closeAfter = closeAfter
    self.dribble = dribble
  }

  package init(
    _ status: Int, headers: [HeaderLine] = [], body: String? = nil, length: Int? = nil,
    close: ScriptedClose? = nil, closeAfter: Duration = .zero, dribble: ScriptedDribble? = nil
  ) {
    self.init(
      .made(status: status, headers: headers, body: body, length: length), close: close,
      closeAfter: closeAfter, dribble: dribble)
  }

  /// Nil when it has none.
  package var status: Int? {
    if case .made(let status, _, _, _) = content { status } else { nil }
  }

  /// Bytes that it sends behind its head.
  package var bodyBytes: Int { answer.body.count }

  /// A client can read all of it.
  package var isWhole: Bool {
    if case .made(_, _, _, nil) = content { true } else { false }
  }

  /// The connection is not kept behind it, by `close` or by a header of its own.
  private var closes: Bool {
    guard close == nil, isWhole, case .made(_, let headers, _, _) = content else { return true }
    return headers.contains { line in
      [HeaderField(line.name, line.value)].members("Connection").contains("close")
    }
  }

  func reply(to request: OpenRequest, at now: Instant) -> EngineReply {
    var reply = EngineReply(
      answer: answer, at: now,
      closes: closes || !request.bodyHasEnded || !request.head.keepsAlive)
    // A client that hears of 417 sends the request again at once, and curl 7.88 only if the
    // connection is kept, and on that (RFC 9110 section 15.5.18).
    reply.leavesBody = status == 417 && request.isWaiting && !closes && request.head.keepsAlive
    // What is not whole ends by the script, whichever way.
    let way = close ?? (isWhole ? nil : .end)
    reply.deed = way.map { EngineReply.Deed(after: nil, action: .close($0, after: closeAfter)) }
    reply.dribble = dribble.map { EngineReply.Dribble(from: 0, pieces: $0) }
    return reply
  }

  private var answer: ServerAnswer {
    switch content {
    case .raw(let text): return ServerAnswer(raw: Array(text.utf8))
    case .made(let status, let headers, let body, let length):
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
      answer.declaredLength = length
      return answer
    }
  }
}

extension ScriptedAnswer {
  /// What a network says to everything until somebody has logged in.
  package static let portal = ScriptedAnswer(
    200, headers: [HeaderLine(name: "Content-Type", value: "text/html; charset=utf-8")],
    body: "<!doctype html><title>Log in</title><p>Log in to use this network.</p>\n")
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
