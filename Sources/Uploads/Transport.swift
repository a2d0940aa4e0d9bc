/// One HTTP request that the client wants sent.
package struct OutgoingRequest: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    case none
    case bytes([UInt8], type: String)
    /// A file of the client's file system, sent as it is.
    case file(path: String, bytes: Int, type: String)
  }

  package var method: String
  /// Path and query, beginning with a slash.
  package var path: String
  package var headers: [HTTPField]
  package var body: Body
  /// The largest answer body that is taken, in bytes; a larger one fails the exchange.
  package var answerLimit: Int
  /// SO_SNDBUF of the connection, in bytes.
  package var sendBuffer: Int
  /// Which bytes of its body ``ExchangeEvent/sent(bytes:)`` tells.
  package var counting: UploadPolicy.Counting

  package init(
    method: String, path: String, headers: [HTTPField] = [], body: Body = .none,
    answerLimit: Int, sendBuffer: Int, counting: UploadPolicy.Counting = .handedOver
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.answerLimit = answerLimit
    self.sendBuffer = sendBuffer
    self.counting = counting
  }

  /// Bytes of the body.
  package var bodyBytes: Int {
    switch body {
    case .none: 0
    case .bytes(let bytes, _): bytes.count
    case .file(_, let bytes, _): bytes
    }
  }
}

/// One header field; names compare without regard to case.
package struct HTTPField: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A whole answer.
package struct HTTPAnswer: Hashable, Sendable {
  package var status: Int
  package var headers: [HTTPField]
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of that name, in any case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Why an exchange ended without an answer.
///
/// Every one of them is transient, except a file of the
/// client's own that cannot be read.
package enum TransportFailure: Error, Hashable, Sendable {
  /// No connection: refused, unreachable, or the name is not known.
  case notConnected(String)
  /// The connection ended, or its bytes made no HTTP answer.
  case broken(String)
  /// The answer is larger than the request's `answerLimit`.
  case answerTooLarge
  /// The file of the body could not be read, or is not as long as it was.
  case file(String)
  /// ``Exchange/cut(_:)`` ended it.
  case cut
}

/// What happens to one exchange, in order; the last event is `answered` or `failed`.
package enum ExchangeEvent: Hashable, Sendable {
  /// The head went out on a connection. A number above 1 is a repeat by the transport itself on a
  /// stale connection, and its `sent` starts again at 0.
  case began(attempt: Int)
  /// Body bytes so far in this attempt: those that the socket has taken, or those of them that were
  /// acknowledged, as the request asks.
  case sent(bytes: Int)
  /// Bytes of the answer, head and body, received so far.
  case received(bytes: Int)
  case answered(HTTPAnswer)
  case failed(TransportFailure)
}

/// One request under way.
package protocol Exchange: Sendable {
  /// For one reader. Ends after `answered` or `failed`.
  var events: AsyncStream<ExchangeEvent> { get }

  /// Asks the kernel what has been acknowledged; an event follows when it is more than before.
  ///
  /// Nothing tells when an acknowledgement comes, so it is asked for now and then. Does nothing where
  /// bytes count as they are handed over.
  func count()

  /// Ends it at once, unless it has ended: `failed(.cut)` follows.
  func cut(_ way: UploadPolicy.Cut)
}

/// Sends requests to the engine that it was made for.
package protocol Transport: Sendable {
  /// Starts an exchange; never blocks. A failure to start is an event like any other.
  func begin(_ request: OutgoingRequest) -> any Exchange
}
