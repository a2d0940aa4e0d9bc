/// Why a connection's bytes are no request: what to answer, after which the connection closes.
package enum RequestFault: Error, Hashable, Sendable {
  case malformedRequestLine
  /// RFC 9112 section 3: a method longer than any known one.
  case methodTooLong
  case targetTooLong
  case malformedTarget
  case unsupportedVersion
  /// RFC 9112 section 2.2 lets a server take a bare LF for a line end; this one refuses it, as it
  /// refuses a bare CR: a bench has to show a client's defects, and two readings of one head are
  /// how requests are smuggled.
  case bareLineEnd
  case tooManyEmptyLines
  case malformedField
  /// RFC 9112 section 5.1: no space between name and colon.
  case spaceBeforeColon
  /// RFC 9112 section 5.2: obsolete line folding.
  case foldedField
  case fieldTooLong
  case tooManyFields
  case fieldsTooLarge
  /// RFC 9112 section 3.2.
  case missingHost, repeatedHost
  case malformedContentLength
  /// Also when they agree: nothing that a client needs depends on it.
  case repeatedContentLength
  /// RFC 9112 section 6.1: a sender must not send both.
  case lengthAndTransferCoding
  case unknownTransferCoding
  /// RFC 9112 section 6.3: the length cannot be told.
  case chunkedNotLast
  case transferCodingInOldVersion
  case malformedChunk
  case chunkLineTooLong
  case chunkExtensionsTooLarge
  case bodyTooLarge
  /// The rest did not arrive in time; the reader has no clock, so a shell says so.
  case timedOut

  /// The status to answer with.
  package var status: Int {
    switch self {
    case .timedOut: 408
    case .bodyTooLarge: 413
    case .targetTooLong: 414
    case .fieldTooLong, .tooManyFields, .fieldsTooLarge: 431
    case .methodTooLong, .unknownTransferCoding: 501
    case .unsupportedVersion: 505
    default: 400
    }
  }
}

extension RequestFault: CustomStringConvertible {
  /// A sentence for the answer's body: the fact, and what to send instead.
  package var description: String {
    switch self {
    case .malformedRequestLine:
      "The request line is not METHOD TARGET HTTP/1.1, with one space between."
    case .methodTooLong: "The method is longer than any that is known here."
    case .targetTooLong: "The request target is too long; send a shorter path and query."
    case .malformedTarget:
      "The request target is not a path in valid percent-encoding; begin it with a slash."
    case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are spoken here."
    case .bareLineEnd: "A line of the head ends with a bare LF or holds a bare CR; send CR LF."
    case .tooManyEmptyLines: "Too many empty lines before the request line; send none."
    case .malformedField: "A field line is not NAME: VALUE in the characters that HTTP allows."
    case .spaceBeforeColon: "A field name is followed by a space; put the colon right after it."
    case .foldedField: "A field is folded over two lines; send it on one."
    case .fieldTooLong: "A field line is too long."
    case .tooManyFields: "There are too many fields."
    case .fieldsTooLarge: "The fields are too large together."
    case .missingHost: "There is no Host field; HTTP/1.1 needs one."
    case .repeatedHost: "There is more than one Host field; send one."
    case .malformedContentLength: "Content-Length is not a whole number of bytes."
    case .repeatedContentLength: "There is more than one Content-Length; send one."
    case .lengthAndTransferCoding:
      "There are both Content-Length and Transfer-Encoding; send one of them."
    case .unknownTransferCoding: "The only transfer coding that is read here is chunked."
    case .chunkedNotLast: "Transfer-Encoding does not end with chunked, once."
    case .transferCodingInOldVersion: "HTTP/1.0 has no Transfer-Encoding; send Content-Length."
    case .malformedChunk: "A chunk is not SIZE CR LF DATA CR LF, with the size in hexadecimal."
    case .chunkLineTooLong: "The line of a chunk is too long."
    case .chunkExtensionsTooLarge: "The extensions of the chunks are too large together."
    case .bodyTooLarge: "The body is too large."
    case .timedOut: "The rest of the request did not arrive in time."
    }
  }
}
