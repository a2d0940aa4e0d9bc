/// The versions that are spoken; a later 1.x is read as 1.1 (RFC 9110 section 2.5).
package enum HTTPVersion: String, Hashable, Sendable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"
}

/// How long a request's body is, as its head says: RFC 9112 section 6.3.
package enum BodyFraming: Hashable, Sendable {
  case none
  case length(Int)
  case chunked
}

/// The request line and the fields of one request, checked.
package struct RequestHead: Hashable, Sendable {
  package var method: String
  /// As it was sent; ``RequestTarget`` reads it.
  package var target: String
  package var version: HTTPVersion
  /// In the order of the request.
  ///
  /// Octets that are not UTF-8 become U+FFFD.
  package var fields: [HeaderField]
  package var framing: BodyFraming
  /// Whether the connection may carry another request: RFC 9112 section 9.3.
  package var keepsAlive: Bool
  /// The client may hold its body back until it reads `100 Continue`: RFC 9110 section 10.1.1.
  ///
  /// False without a body and for HTTP/1.0. Other expectations are left to the fields.
  package var expectsContinue: Bool

  package init(
    method: String, target: String, version: HTTPVersion = .http11, fields: [HeaderField] = [],
    framing: BodyFraming = .none, keepsAlive: Bool = true, expectsContinue: Bool = false
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.framing = framing
    self.keepsAlive = keepsAlive
    self.expectsContinue = expectsContinue
  }

  /// Bytes of the body that the head declares; nil when only its end will tell.
  package var declaredBytes: Int? {
    switch framing {
    case .none: 0
    case .length(let count): count
    case .chunked: nil
    }
  }
}
