/// The program of a command, or one of its arguments: text with placeholders that a run fills in.
///
/// A placeholder is a word in braces. `{{word}}` stands for the text `{word}`, and behind a `%` or a
/// `$` braces are somebody else's: `curl -w "%{http_code}"`, `sh -c "echo ${HOME}"`.
package struct CommandWord: Hashable, Sendable {
  package enum Placeholder: String, Hashable, Sendable, CaseIterable {
    /// The base URL of the engine, through the link, without a slash at its end.
    case engine
    /// The path of the file of the one capture: a photo as the camera wrote it, or a document.
    case capture
    /// The path of the smaller copy of the one photo.
    case copy
    /// The folder with the files of all captures, and captures.json.
    case captures
    /// The client's own folder, which outlives its restarts.
    case work
  }

  private enum Part: Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  private let parts: [Part]
  /// Where it stands in the file.
  package let mark: Mark

  /// Throws when a word in braces is no placeholder, and when the text cannot be an argument.
  init(_ text: String, at mark: Mark) throws(Refusal) {
    guard !text.contains("\0") else { throw Refusal(.controlCharacter) }
    guard text.count <= ScenarioLimits.commandCharacters else {
      throw Refusal(.tooLong(characters: text.count, most: ScenarioLimits.commandCharacters))
    }
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      literal += rest[..<brace]
      rest = rest[brace...]
      let inner = rest.dropFirst()
      if let word = Self.word(in: inner.dropFirst()), inner.first == "{",
        inner.dropFirst(word.count + 2).first == "}"
      {
        literal += "{\(word)}"
        rest = inner.dropFirst(word.count + 3)
      } else if let word = Self.word(in: inner), !"%$".contains(literal.last ?? " ") {
        guard let placeholder = Placeholder(rawValue: word) else {
          throw Refusal(.unknownPlaceholder(word, known: Placeholder.allCases.map(\.rawValue)))
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        parts.append(.placeholder(placeholder))
        literal = ""
        rest = inner.dropFirst(word.count + 1)
      } else {
        literal.append("{")
        rest = inner
      }
    }
    literal += rest
    if !literal.isEmpty || parts.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
    self.mark = mark
  }

  /// The letters before the next closing brace; nil when there is anything else.
  private static func word(in text: Substring) -> String? {
    guard let end = text.firstIndex(of: "}"), end > text.startIndex else { return nil }
    let word = text[..<end]
    let isWord = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "-")
    }
    return isWord ? String(word) : nil
  }

  var placeholders: [Placeholder] {
    parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }

  /// The text with its placeholders filled in.
  package func filled(_ value: (Placeholder) -> String) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let literal): text += literal
      case .placeholder(let placeholder): text += value(placeholder)
      }
    }
  }

  /// As the file writes it, apart from doubled braces.
  package var text: String { filled { "{\($0.rawValue)}" } }
}
