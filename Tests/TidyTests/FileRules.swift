/// Rules that every file of `Sources` keeps.
enum FileRules {
  /// Beyond it, ask which second noun is hiding in the file.
  static let lineLimit = 500
  /// What takes a guarantee away needs its reason in a comment above.
  static let needReason = ["@unchecked", "try!", "nonisolated(unsafe)"]

  static func findings(in source: SwiftSource) -> [Finding] {
    var found: [Finding] = []
    let count = source.lines.count - (source.lines.last == "" ? 1 : 0)
    if count > lineLimit {
      found.append(
        Finding(
          path: source.path, line: lineLimit + 1,
          message: "a file of \(count) lines, above \(lineLimit); split it by its nouns"))
    }
    for (index, line) in source.code.enumerated() {
      for name in needReason where line.contains(name) && !hasReason(source, above: index) {
        found.append(
          Finding(
            path: source.path, line: index + 1,
            message: "\(name) stands without a comment above it; write the reason there"))
      }
    }
    return found
  }

  /// Attributes may stand between the comment and the line.
  private static func hasReason(_ source: SwiftSource, above index: Int) -> Bool {
    var above = index - 1
    while above >= 0, source.code[above].drop(while: \.isWhitespace).hasPrefix("@") { above -= 1 }
    return above >= 0 && source.isComment(above)
  }
}
