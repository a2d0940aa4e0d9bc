import Captures

/// The value of `figures`: how the lines of a command are read, in one item or a list of them.
enum FigureKeys {
  static let pattern = Field(
    "pattern", linePattern,
    """
    Where the figures of a line stand, as a pattern of PCRE2 with the groups (?<claimed>...) and, \
    if there are any, (?<total>...) and (?<rate>...).
    """)
  static let unit = Field(
    "unit", Reading<FigureUnit>.oneOfItsWords,
    """
    What a figure counts that has no unit of its own: B when it is left out. A letter alone behind \
    it, such as curl's k, means powers of 1,024.
    """)
  static let file = Field(
    "file", Reading<String>.word(UploadStep.files.map(\.rawValue)),
    "Which file of a capture the line is about; the one under way when it is left out.")
  static let done = Field(
    "done", plainPattern, "A line that holds this pattern says that the file has landed.")

  private static let one = Reading<FigurePattern>.record([
    pattern.known, unit.known, file.known, done.known,
  ]) { record in
    let text = record.take(pattern)
    let done = record.take(done)
    let (unit, file) = (record.take(unit), record.take(file))
    if record.mark(of: pattern.key) == nil {
      if let mark = record.mark(of: Self.unit.key) {
        record.problems.add(.needsKey(pattern.key, for: Self.unit.key), at: mark)
      } else if record.mark(of: Self.done.key) == nil {
        record.problems.add(.missingKey(pattern.key, example: example), at: record.mark)
      }
    }
    guard text != nil || done != nil else { return nil }
    return FigurePattern(
      text, unit: unit ?? .bytes, file: file.flatMap(UploadStep.init), done: done)
  }

  private static let several = Reading<[FigurePattern?]>.list(
    of: one, count: 1...ScenarioLimits.figurePatterns)

  static let reading = Reading<[FigurePattern]>(
    schema: .anyOf([one.schema, several.schema])
  ) { node, problems in
    if node.content.kind == .list {
      return several.read(node, &problems)?.compactMap(\.self)
    }
    return one.read(node, &problems).map { [$0] }
  }

  private static let example = #"pattern: '(?<claimed>[0-9.]+) MB'"#

  private static let linePattern = Reading<String>.scalar(
    .text(pattern: #"\(\?P?<claimed>"#, example: "(?<claimed>[0-9.]+) of (?<total>[0-9.]+) MB")
  ) { text throws(Refusal) in
    let groups = try parts(of: text).groups
    let known = FigurePattern.Group.allCases.map(\.rawValue)
    if let other = groups.first(where: { !known.contains($0) }) {
      throw Refusal(.unknownGroup(other, known: known))
    }
    guard groups.contains(known[0]) else { throw Refusal(.noGroup(known[0])) }
    return text
  }

  private static let plainPattern = Reading<String>.scalar(
    .text(pattern: nil, example: "uploaded")
  ) { text throws(Refusal) in
    if let group = try parts(of: text).groups.first { throw Refusal(.groupOfDone(group)) }
    return text
  }

  private static func parts(of text: String) throws(Refusal) -> LinePattern {
    guard text.count <= ScenarioLimits.patternCharacters else {
      throw Refusal(.tooLong(characters: text.count, most: ScenarioLimits.patternCharacters))
    }
    do throws(LinePattern.Mistake) {
      return try LinePattern(text)
    } catch {
      let before = String(decoding: text.utf8.prefix(error.offset), as: UTF8.self)
      throw Refusal(.notPattern(text, why: error.words, before: before.count))
    }
  }
}
