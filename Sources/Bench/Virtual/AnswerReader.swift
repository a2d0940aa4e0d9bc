import UploadAdapters
import Uploads

/// Reads one answer from a connection's bytes, as far as answers of the engine need it: framed by
/// `Content-Length`, by a status that has no body, or by the end of the connection (RFC 9112
/// section 6.3).
struct AnswerReader {
  enum Step {
    case more
    case whole(HTTPAnswer)
    case failed(TransportFailure)
  }

  private enum State {
    case head
    /// `left` is nil when the end of the connection is that of the body.
    case body(left: Int?)
  }

  private var collector: AnswerCollector
  private var state = State.head
  private var line: [UInt8] = []
  private var length: Int?
  private var saysClose = false
  /// Zero before its line was read.
  private(set) var status = 0

  init(bodyBytesMax: Int) {
    collector = AnswerCollector(bodyBytesMax: bodyBytesMax)
  }

  /// Its head has come, and that of no other is to come before it.
  var hasHead: Bool {
    if case .body = state { true } else { false }
  }

  /// Its head says that the connection closes behind it.
  var closes: Bool { hasHead && saysClose }

  /// Bytes of whole head lines and of the body so far.
  var received: Int { collector.received }

  mutating func take(_ bytes: [UInt8]) -> Step {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch state {
      case .head:
        let feed = rest.firstIndex(of: UInt8(ascii: "\n"))
        line += rest[...(feed ?? rest.endIndex - 1)]
        if isNoHTTP { return .failed(.broken("Received HTTP/0.9 when not allowed")) }
        guard let feed else { return .more }
        rest = rest[(feed + 1)...]
        if let failure = takeLine() { return .failed(failure) }
        if case .body(left: 0) = state { return whole() }
      case .body(let left):
        let part = rest.prefix(left ?? .max)
        rest = rest.dropFirst(part.count)
        if part.withUnsafeBytes({ collector.take(body: $0) }) != nil {
          return .failed(.answerTooLarge)
        }
        guard let left else { continue }
        state = .body(left: left - part.count)
        if left == part.count { return whole() }
      }
    }
    return .more
  }

  /// As libcurl, which looks for the name of the protocol in the first bytes.
  private var isNoHTTP: Bool {
    received == 0 && !zip(line, "HTTP/".utf8).allSatisfy { $0 == $1 }
  }

  /// The connection has ended.
  func finish() -> Step {
    switch state {
    case .head where received == 0:
      .failed(.broken("Empty reply from server"))
    case .head: .failed(.broken("the connection ended within the head of the answer"))
    case .body(nil): whole()
    case .body(let left?):
      .failed(.broken("transfer closed with \(left) bytes remaining to read"))
    }
  }

  private mutating func takeLine() -> TransportFailure? {
    defer { line = [] }
    if line.withUnsafeBytes({ collector.take(headerLine: $0) }) != nil {
      return .broken("the head of the answer is above \(AnswerCollector.headBytesMax) bytes")
    }
    let text = String(decoding: line, as: UTF8.self).split { $0.isNewline || $0 == " " }
    if let first = text.first, first.hasPrefix("HTTP/") {
      status = text.dropFirst().first.flatMap { Int($0) } ?? 0
      (length, saysClose) = (nil, false)
    } else if text.first?.lowercased() == "content-length:" {
      length = text.last.flatMap { Int($0) }
    } else if text.first?.lowercased() == "connection:" {
      saysClose = text.dropFirst().joined().lowercased().contains("close")
    } else if text.isEmpty, status >= 200 {
      state = .body(left: [204, 304].contains(status) ? 0 : length)
    }
    return nil
  }

  private func whole() -> Step {
    guard let answer = collector.answer(status: status) else {
      return .failed(.broken("the connection ended within the head of the answer"))
    }
    return .whole(answer)
  }
}
