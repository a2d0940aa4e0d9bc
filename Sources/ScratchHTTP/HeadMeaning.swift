/// What the fields of a head mean for the connection: framing, persistence, expectation.
extension RequestHead {
  /// Judges a request line and its fields together.
  init(_ line: RequestLine, fields: [HeaderField], limits: ReaderLimits) throws(RequestFault) {
    let hosts = fields.values("Host").count
    guard hosts <= 1 else { throw .repeatedHost }
    guard hosts == 1 || line.version == .http10 else { throw .missingHost }

    let framing = try Self.framing(line.version, fields: fields, limits: limits)
    let options = fields.members("Connection")
    let hasBody = framing != .none && framing != .length(0)
    self.init(
      method: line.method, target: line.target, version: line.version, fields: fields,
      framing: framing,
      keepsAlive: !options.contains("close")
        && (line.version == .http11 || options.contains("keep-alive")),
      expectsContinue: hasBody && line.version == .http11
        && fields.members("Expect").contains("100-continue"))
  }

  /// RFC 9112 sections 6.1 to 6.3; what they leave to a server is refused here.
  private static func framing(
    _ version: HTTPVersion, fields: [HeaderField], limits: ReaderLimits
  ) throws(RequestFault) -> BodyFraming {
    let lengths = fields.values("Content-Length")
    if fields.contains(where: { $0.isNamed("Transfer-Encoding") }) {
      guard lengths.isEmpty else { throw .lengthAndTransferCoding }
      guard version == .http11 else { throw .transferCodingInOldVersion }
      let codings = fields.members("Transfer-Encoding")
      guard codings.last == "chunked", codings.filter({ $0 == "chunked" }).count == 1 else {
        throw .chunkedNotLast
      }
      guard codings.count == 1 else { throw .unknownTransferCoding }
      return .chunked
    }
    guard lengths.count <= 1 else { throw .repeatedContentLength }
    guard let text = lengths.first else { return .none }
    guard !text.isEmpty, text.utf8.allSatisfy({ $0.decimalValue != nil }) else {
      throw .malformedContentLength
    }
    // Digits that do not fit are a number all the same, and too large.
    guard let count = Int(text), count <= limits.body else { throw .bodyTooLarge }
    return .length(count)
  }
}
