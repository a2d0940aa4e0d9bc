import Captures
import Quantities
import ScratchEngine

extension ScriptRule {
  /// The rule as a sentence without its full stop.
  var words: String {
    let often = times.map { $0 == 1 ? ", once" : ", \($0) times" } ?? ""
    return "\(when.words)\(often): \(then.words)"
  }
}

extension RequestPattern {
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
    if let from { parts.append("from \((from - .zero).text)") }
    if let until { parts.append("until \((until - .zero).text)") }
    return parts.joined(separator: " ")
  }
}

extension ScriptedDeed {
  fileprivate var words: String {
    let phase =
      switch at {
      case .head: "once its head is read"
      case .body(let bytes): "\(ByteCount(bytes)) into its body"
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
    case .answer(let answer):
      let close = answer.close.map { close in
        let after = answer.closeAfter > .zero ? " \(answer.closeAfter.text) later" : ""
        return ", and\(after) \(close.words)"
      }
      return "the answer is \(answer.status)\(close ?? "")"
    case .delay(let time): return "what comes next is delayed by \(time.text)"
    case .stall(let time): return "nothing is read for \(time.text)"
    case .close(let way): return way.words
    case .holdContinue(let time?): return "100 Continue is sent \(time.text) later"
    case .holdContinue(nil): return "100 Continue is never sent"
    }
  }
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
