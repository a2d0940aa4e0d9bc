package import Uploads

/// Gathers one answer from what libcurl hands over: whole header lines and pieces of body.
///
/// Interim answers (1xx, RFC 9110 section 15.2) are counted as received and forgotten.
package struct AnswerCollector {
  /// Bytes of all heads of one exchange, interim ones too; more is no answer.
  package static let headBytesMax = 1 << 18

  package enum Problem: Hashable {
    case headTooLarge, bodyTooLarge
  }

  package let bodyBytesMax: Int
  /// Bytes of heads and body so far.
  package private(set) var received = 0
  private var headBytes = 0
  private var isHeadDone = false
  private var headers: [HTTPField] = []
  private var body: [UInt8] = []

  package init(bodyBytesMax: Int) {
    self.bodyBytesMax = bodyBytesMax
  }

  /// Takes one line of a head, its line end included.
  package mutating func take(headerLine bytes: UnsafeRawBufferPointer) -> Problem? {
    received += bytes.count
    headBytes += bytes.count
    if headBytes > Self.headBytesMax { return .headTooLarge }
    var text = Substring(decoding: bytes, as: UTF8.self)
    while let last = text.last, last.isNewline { text.removeLast() }
    if isHeadDone, text.hasPrefix("HTTP/") {
      // The head before this one was an interim answer.
      headers = []
      isHeadDone = false
    } else if isHeadDone {
      // A trailer after the body: nothing here needs one.
    } else if text.isEmpty {
      isHeadDone = true
    } else if text.first == " " || text.first == "\t" {
      // A folded line (RFC 9112 section 5.2) goes on with the value before it.
      if let last = headers.indices.last { headers[last].value += " " + Self.trimmed(text) }
    } else if let colon = text.firstIndex(of: ":") {
      headers.append(
        HTTPField(String(text[..<colon]), Self.trimmed(text[text.index(after: colon)...])))
    }
    return nil
  }

  package mutating func take(body bytes: UnsafeRawBufferPointer) -> Problem? {
    received += bytes.count
    if body.count + bytes.count > bodyBytesMax { return .bodyTooLarge }
    body.append(contentsOf: bytes)
    return nil
  }

  /// The answer; nil when its head has not come to its end, or is an interim one.
  package func answer(status: Int) -> HTTPAnswer? {
    guard isHeadDone, status >= 200 else { return nil }
    return HTTPAnswer(status: status, headers: headers, body: body)
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}
