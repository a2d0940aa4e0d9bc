/// The target of a request, taken apart: RFC 9112 section 3.2.
///
/// Origin form (`/path?query`) and absolute form (`http://host/path?query`) are read. The other two
/// forms, of CONNECT and of `OPTIONS *`, are for proxies and are malformed here.
package struct RequestTarget: Hashable, Sendable {
  /// Host and port of an absolute form; it overrides the Host field (RFC 9112 section 3.2.2).
  package var authority: String?
  /// As it was sent, with its leading slash and without the query.
  package var path: String
  /// The parts of the path between slashes, percent-decoded after they were parted.
  package var segments: [String]
  package var query: [QueryItem]

  /// Slashes in a path; each costs a comparison with the routes.
  package static let segmentsMax = 32

  package init(_ target: String) throws(RequestFault) {
    var rest = Substring(target)
    if let scheme = Self.schemes.first(where: { rest.lowercased().hasPrefix($0) }) {
      rest = rest.dropFirst(scheme.count)
      let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
      authority = String(rest[..<end])
      rest = rest[end...]
      if rest.first != "/" { rest = "/" + rest }
    }
    guard rest.first == "/", !rest.contains("#") else { throw .malformedTarget }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts.first ?? "/")
    let pieces = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard pieces.count <= Self.segmentsMax else { throw .targetTooLong }
    segments = []
    for piece in pieces {
      guard let text = PercentCoding.decode(piece) else { throw .malformedTarget }
      segments.append(text)
    }
    guard let items = QueryItem.parse(parts.count > 1 ? parts[1] : "") else {
      throw .malformedTarget
    }
    query = items
  }

  private static let schemes = ["http://", "https://"]
}

/// One `name=value` of a query.
package struct QueryItem: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Items of a query; the target's length is limited, and so is their work.
  package static let itemsMax = 64

  /// Reads `a=1&b=2` as application/x-www-form-urlencoded (a plus is a space); nil when the
  /// percent-encoding is not valid or there are too many.
  package static func parse(_ query: Substring) -> [QueryItem]? {
    let pieces = query.split(separator: "&")
    guard pieces.count <= itemsMax else { return nil }
    var items: [QueryItem] = []
    for piece in pieces {
      let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentCoding.decode(pair[0], plusIsSpace: true),
        let value = PercentCoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
      else { return nil }
      items.append(QueryItem(name, value))
    }
    return items
  }
}

extension [QueryItem] {
  /// The value of the first item of that name.
  package func first(_ name: String) -> String? {
    first { $0.name == name }?.value
  }
}
