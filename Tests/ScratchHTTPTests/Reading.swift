import ScratchHTTP

/// What a reader makes of bytes, with body pieces joined, so that readings can be compared.
struct Reading: Equatable {
  struct Request: Equatable {
    var head: RequestHead
    var body: [UInt8] = []
    /// Nil until the request is whole.
    var trailers: [HeaderField]?
  }

  var requests: [Request] = []
  var fault: RequestFault?
  var events = 0

  /// Feeds the pieces one after another and takes every event after each.
  init(of pieces: [[UInt8]], limits: ReaderLimits = ReaderLimits()) {
    var reader = RequestReader(limits: limits)
    for piece in pieces where fault == nil {
      reader.append(piece)
      take(from: &reader)
    }
  }

  init(of text: String, limits: ReaderLimits = ReaderLimits()) {
    self.init(of: [Array(text.utf8)], limits: limits)
  }

  private mutating func take(from reader: inout RequestReader) {
    do {
      while let event = try reader.next() {
        events += 1
        switch event {
        case .head(let head): requests.append(Request(head: head))
        case .body(let bytes): requests[requests.count - 1].body += bytes
        case .end(let trailers): requests[requests.count - 1].trailers = trailers
        }
      }
    } catch {
      fault = error
    }
  }

  static func == (left: Reading, right: Reading) -> Bool {
    left.requests == right.requests && left.fault == right.fault
  }
}

/// Requests that between them reach every state of the reader, good ones and bad ones.
enum Sample {
  static let put = """
    PUT /api/moments/01J/media/m1?role=copy HTTP/1.1\r
    Host: 127.0.0.1:8080\r
    Content-Length: 11\r
    Expect: 100-continue\r
    \r
    hello world
    """
  static let chunked = """
    POST /files/a HTTP/1.1\r
    Host: localhost\r
    transfer-encoding: Chunked\r
    \r
    5\r
    hello\r
    00A ; name="value";x\r
    0123456789\r
    0\r
    Digest: abc\r
    \r

    """
  static let get =
    "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-Empty:\r\nX-Odd:\t a b \r\n\r\n"
  static let old = "GET / HTTP/1.0\r\n\r\n"

  static let good: [String] = [
    put, chunked, get, old, get + put + chunked + get, "\r\n\r\n" + get + "\r\n" + put,
    "HEAD http://localhost:80/a?b=c HTTP/1.1\r\nHost: localhost\r\nConnection: Close\r\n\r\n" + get,
  ]

  static let bad: [String] = [
    "GET / HTTP/1.1\nHost: a\n\n",
    "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
    "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
    "GET /\r\n\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    get + "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
    chunked + chunked.replacingFirst("hello\r\n", with: "hello\n\n"),
    chunked.replacingFirst("5\r\n", with: "5\n"),
    chunked.replacingFirst("5\r\n", with: "g\r\n"),
    "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{fc}\r\n",
  ]
}

extension String {
  func replacingFirst(_ old: String, with new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return replacingCharacters(range, with: new)
  }

  private func firstRange(of old: String) -> Range<String.Index>? {
    self.ranges(of: old).first
  }

  private func replacingCharacters(_ range: Range<String.Index>, with new: String) -> String {
    String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
