/// Answers as bytes: RFC 9112 sections 4 to 6.
package enum AnswerWriter {
  /// What tells a client that holds its body back to send it: RFC 9110 section 10.1.1.
  package static let continueBytes = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// The status line and the fields, with the empty line behind them.
  ///
  /// There is no Date: a server without a clock must not send one (RFC 9110 section 6.6.1).
  ///
  /// - Parameters:
  ///   - answer: What to send.
  ///   - head: The request that it answers; nil when its bytes made none.
  ///   - closes: Whether the connection closes behind it.
  /// - Returns: The octets up to the body.
  package static func head(of answer: ServerAnswer, to head: RequestHead?, closes: Bool) -> [UInt8]
  {
    var text = "HTTP/1.1 \(answer.status) \(reason(answer.status))\r\n"
    for field in answer.fields where !isFraming(field) {
      text += "\(field.name): \(oneLine(field.value))\r\n"
    }
    if answer.goesOn {
      if isChunked(head) { text += "Transfer-Encoding: chunked\r\n" }
    } else if mayHaveBody(answer.status) {
      text += "Content-Length: \(answer.declaredLength ?? answer.body.count)\r\n"
    }
    if closes {
      text += "Connection: close\r\n"
    } else if head?.version == .http10 {
      text += "Connection: keep-alive\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  /// More of the body of an answer that goes on: a chunk, or to HTTP/1.0, whose body ends with the
  /// connection, the octets alone (RFC 9112 sections 6.3 and 7.1).
  ///
  /// A piece without octets would end the body.
  package static func piece(_ bytes: [UInt8], to head: RequestHead?) -> [UInt8] {
    guard isChunked(head) else { return bytes }
    return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }

  /// What ends the body of an answer that goes on; the end of the connection may have to follow.
  package static func end(to head: RequestHead?) -> [UInt8] {
    isChunked(head) ? Array("0\r\n\r\n".utf8) : []
  }

  private static func isChunked(_ head: RequestHead?) -> Bool { head?.version == .http11 }

  /// The bytes behind the head: none for HEAD, 1xx, 204 and 304 (RFC 9112 section 6.3).
  package static func body(of answer: ServerAnswer, to head: RequestHead?) -> [UInt8] {
    head?.method == "HEAD" || !mayHaveBody(answer.status) ? [] : answer.body
  }

  /// Head and body in one piece.
  package static func bytes(of answer: ServerAnswer, to head: RequestHead?, closes: Bool) -> [UInt8]
  {
    answer.isRaw
      ? answer.body : self.head(of: answer, to: head, closes: closes) + body(of: answer, to: head)
  }

  private static func mayHaveBody(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 304
  }

  private static func isFraming(_ field: HeaderField) -> Bool {
    ["Content-Length", "Transfer-Encoding", "Connection"].contains { field.isNamed($0) }
  }

  /// A script may hold any text; a line end in it would begin another field.
  private static func oneLine(_ value: String) -> String {
    String(decoding: value.utf8.map { $0.isFieldOctet ? $0 : .space }, as: UTF8.self)
  }

  /// RFC 9110 section 15; empty for the others, as RFC 9112 section 4 allows.
  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 302: "Found"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 425: "Too Early"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }
}
