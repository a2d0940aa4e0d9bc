/// One field line of a request or an answer; names compare without regard to case.
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  package func isNamed(_ other: String) -> Bool {
    name.lowercased() == other.lowercased()
  }
}

extension [HeaderField] {
  /// The value of the first field of that name, in any case.
  package func first(_ name: String) -> String? {
    first { $0.isNamed(name) }?.value
  }

  /// The values of all fields of that name, in order.
  package func values(_ name: String) -> [String] {
    filter { $0.isNamed(name) }.map(\.value)
  }

  /// The comma-separated members of all fields of that name, in lower case; empty ones left out.
  ///
  /// RFC 9110 section 5.6.1.
  package func members(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }
      .map { $0.trimmed().lowercased() }
      .filter { !$0.isEmpty }
  }
}

extension Substring {
  /// Without the spaces and tabs around it.
  func trimmed() -> Substring {
    var rest = self
    while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
    while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
    return rest
  }
}
