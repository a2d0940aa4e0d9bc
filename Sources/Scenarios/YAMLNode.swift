/// A place in a file: line and column, both counted from 1, columns in characters.
package struct Mark: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static let start = Mark(line: 1, column: 1)

  package static func < (left: Mark, right: Mark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// One node of a YAML document, with its place.
///
/// Every scalar is text: what it means is decided by the key that it stands at, so that `no`, `7`
/// and `2026-05-04` cannot turn into something else on the way.
package struct YAMLNode: Hashable, Sendable {
  package indirect enum Content: Hashable, Sendable {
    case scalar(String)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
    /// Something that was refused while reading; it has its error and shall cause no second one.
    case refused
  }

  package var content: Content
  package var mark: Mark

  package init(_ content: Content, at mark: Mark) {
    self.content = content
    self.mark = mark
  }
}

/// One `key: value` of a mapping, in the order of the file.
package struct YAMLEntry: Hashable, Sendable {
  package var key: String
  package var mark: Mark
  package var value: YAMLNode

  package init(key: String, at mark: Mark, value: YAMLNode) {
    self.key = key
    self.mark = mark
    self.value = value
  }
}
