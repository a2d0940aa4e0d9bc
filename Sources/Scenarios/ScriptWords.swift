import Captures
import Quantities
import ScratchEngine

extension ScriptRule {
  /// The rule as a sentence without its full stop.
  var words: String {
    let often = times.map { $0 == 1 ? ", once" : ", \($0) times" } ?? ""
    let subject = then.at == .connect ? when.wordsOfConnections : when.words
    return "\(subject)\(often): \(then.words)"
  }
}

extension RequestPattern {
  fileprivate var wordsOfConnections: String {
    let subject = connection.map { "connection \($0)" } ?? "any connection"
    return ([subject] + occasion).joined(separator: " ")
  }

  /// When, and how likely.
  private var occasion: [String] {
    [
      from.map { "from \(($0 - .zero).text)" }, until.map { "until \(($0 - .zero).text)" },
      chance.map { $0 == 0 ? "never" : "by a chance of \(trimmed($0 * 100, decimals: 2)) %" },
    ].compactMap(\.self)
  }

  fileprivate var words: String {
    var parts = [attempt.map { "attempt \($0)" } ?? "any attempt"]
    if let step { parts[0] += " at \(step.rawValue)" }
    if let method { parts.append("by \(method)") }
    if let path { parts.append("to \(path)") }
    if let bodyAtLeast { parts.append("of \(ByteCount(bodyAtLeast)) or more") }
    if let expectsContinue {
      parts.append("\(expectsContinue ? "with" : "without") Expect: 100-continue")
    }
    if let connection { parts.append("on connection \(connection)") }
    return (parts + occasion).joined(separator: " ")
  }
}

extension ScriptedDeed {
  fileprivate var words: String {
    let phase =
      switch at {
      case .connect: "once it is accepted, before anything is read"
      case .head: "once its head is read"
      case .body(let bytes): "\(ByteCount(bytes)) into its body"
      case .bodyTime(let time): "once its body has been coming for \(time.text)"
      case .silence(let time): "once no byte of its body has come for \(time.text)"
      case .whole: "once it is read, before anything is stored"
      case .stored: "once what it brought is stored"
      case .answer(let bytes): "\(ByteCount(bytes)) into the answer"
      }
    return "\(phase), \(action.words)"
  }
}

extension ScriptAction {
  fileprivate var words: String {
    switch self {
    case .answer(let answer): answer.words
    case .delay(let time): "what comes next is delayed by \(time.text)"
    case .stall(let time): "nothing is read for \(time.text)"
    case .close(let way): way.words
    case .dribble(let pieces): "what is left of the answer comes \(pieces.words)"
    case .holdContinue(let time?): "100 Continue is sent \(time.text) later"
    case .holdContinue(nil): "100 Continue is never sent"
    }
  }
}

extension ScriptedAnswer {
  fileprivate var words: String {
    var parts: [String] = []
    switch content {
    case .made(let status, _, _, let length):
      parts.append("the answer is \(status)")
      if let length { parts.append("with \(ByteCount(bodyBytes)) of \(ByteCount(length))") }
    case .raw: parts.append("\(ByteCount(bodyBytes)) of its own are the answer")
    }
    if let dribble { parts.append(dribble.words) }
    guard let close else { return parts.joined(separator: " ") }
    let after = closeAfter > .zero ? " \(closeAfter.text) later" : ""
    return "\(parts.joined(separator: " ")), and\(after) \(close.words)"
  }
}

extension ScriptedDribble {
  fileprivate var words: String { "by \(ByteCount(bytes)) every \(every.text)" }
}

extension ScriptedClose {
  fileprivate var words: String {
    switch self {
    case .end: "the stream ends"
    case .reset: "the connection is reset"
    case .silence: "nothing more is read or sent"
    }
  }
}

extension KeepAlive {
  /// What it says, as sentences; empty when it says nothing.
  var sentences: [String] {
    var lines: [String] = []
    if let timeout {
      lines.append(
        "A connection without a request for \(timeout.text) is ended: \(close.words).")
    }
    if let requests {
      lines.append("The answer to request \(requests) of a connection closes it.")
    }
    return lines
  }
}
