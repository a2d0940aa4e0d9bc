/// A path in which `*` stands for any characters, none among them.
package struct PathGlob: Hashable, Sendable {
  private static let star = UInt8(ascii: "*")
  private let octets: [UInt8]

  package init(_ text: String) {
    octets = Array(text.utf8)
  }

  /// Whether a path is one of those that it stands for.
  ///
  /// It remembers the newest star alone, so that it takes at most pattern times path steps.
  package func matches(_ path: String) -> Bool {
    var (pattern, text) = (octets[...], path.utf8[...])
    var retry: (pattern: ArraySlice<UInt8>, text: Substring.UTF8View)?
    while true {
      if pattern.first == Self.star {
        pattern = pattern.dropFirst()
        retry = (pattern, text)
      } else if let byte = text.first, byte == pattern.first {
        (pattern, text) = (pattern.dropFirst(), text.dropFirst())
      } else if text.isEmpty, pattern.isEmpty {
        return true
      } else {
        // The star takes one byte more, as long as there is one.
        guard let last = retry, !last.text.isEmpty else { return false }
        (pattern, text) = (last.pattern, last.text.dropFirst())
        retry = (pattern, text)
      }
    }
  }

  /// Whether there is a path that both stand for.
  package func meets(_ other: PathGlob) -> Bool {
    // Whether what is left of this one meets each rest of the other, from the longest to none.
    var below = (0...other.octets.count).map { rest in
      other.octets[rest...].allSatisfy { $0 == Self.star }
    }
    for mine in octets.reversed() {
      var row = below
      row[other.octets.count] = mine == Self.star && below[other.octets.count]
      for rest in other.octets.indices.reversed() {
        let theirs = other.octets[rest]
        row[rest] =
          if mine == Self.star {
            below[rest] || row[rest + 1]
          } else if theirs == Self.star {
            row[rest + 1] || below[rest]
          } else {
            mine == theirs && below[rest + 1]
          }
      }
      below = row
    }
    return below[0]
  }
}
