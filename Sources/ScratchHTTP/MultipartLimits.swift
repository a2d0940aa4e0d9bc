/// The most that one multipart body may ask of its reader; reaching a limit is a ``MultipartFault``.
package struct MultipartLimits: Hashable, Sendable {
  /// Parts of a body: each costs a receipt.
  package var parts = 1_000
  /// Octets of a boundary: RFC 2046 section 5.1.1.
  package var boundary = 70
  /// Blanks behind a boundary, which a gateway may have added: RFC 2046 section 5.1.1.
  package var padding = 64
  /// The fields of one part's head, and their lines.
  package var head = ReaderLimits()

  package init() {
    head.fields = 20
    head.fieldBytes = 16_384
  }
}

/// Why a multipart body cannot be read on.
package enum MultipartFault: Error, Hashable, Sendable {
  /// The Content-Type names none, or none that may be one.
  case badBoundary
  case malformedBoundaryLine
  case malformedPartHead
  case partHeadTooLarge
  case tooManyParts
  /// The body ended before its closing boundary.
  case unfinished
}

extension MultipartFault: CustomStringConvertible {
  /// A sentence for the answer's body: the fact, and what to send instead.
  package var description: String {
    switch self {
    case .badBoundary:
      "The Content-Type has no boundary of 1 to 70 letters, digits or marks; name the one used."
    case .malformedBoundaryLine:
      "Behind a boundary stands neither a line end nor two hyphens; choose one that no part holds."
    case .malformedPartHead: "A field of a part is not NAME: VALUE CR LF."
    case .partHeadTooLarge: "The fields of a part are too many or too large."
    case .tooManyParts: "The body has too many parts; send fewer at once."
    case .unfinished: "The body ended before its closing boundary, --BOUNDARY--."
    }
  }
}
