/// A Swift file as the rules look at it: the code of each line, without comments and texts.
///
/// What is taken out is replaced by blanks, so that columns stay. Code inside `\( )` of a text is
/// code. A bare `/regex/` is not known; write `#/regex/#`.
struct SwiftSource {
  let path: String
  let lines: [String]
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var scanner = Scanner(Array(text))
    code = scanner.code().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// True when the line holds a comment and nothing else.
  func isComment(_ index: Int) -> Bool {
    !lines[index].allSatisfy(\.isWhitespace) && code[index].allSatisfy(\.isWhitespace)
  }
}

/// Walks over the characters of a file and keeps what is code.
private struct Scanner {
  /// Where the walk is inside of.
  private enum Inside {
    /// Code in an interpolation: how many brackets are open in it.
    case interpolation(open: Int)
    case text(hashes: Int, quotes: Int)
    case regex
  }

  private let characters: [Character]
  private var position = 0
  private var stack: [Inside] = []
  private var out = ""

  init(_ characters: [Character]) {
    self.characters = characters
  }

  mutating func code() -> String {
    while position < characters.count {
      switch stack.last {
      case nil, .interpolation: stepCode()
      case .text(let hashes, let quotes): stepText(hashes: hashes, quotes: quotes)
      case .regex:
        if stands("/#") {
          stack.removeLast()
          blank(2)
        } else {
          blank(1)
        }
      }
    }
    return out
  }

  private func stands(_ text: String, at offset: Int = 0) -> Bool {
    let start = position + offset
    // Most characters are ruled out by the first one, and a file has many.
    guard start < characters.count, characters[start] == text.first else { return false }
    return characters[start...].starts(with: text)
  }

  /// Steps over characters that are no code; line ends stay.
  private mutating func blank(_ count: Int) {
    for character in characters[position..<min(position + count, characters.count)] {
      out.append(character == "\n" ? "\n" : " ")
    }
    position += count
  }

  private mutating func stepCode() {
    if stands("//") {
      while position < characters.count, characters[position] != "\n" { blank(1) }
    } else if stands("/*") {
      blockComment()
    } else if stands("#/") {
      stack.append(.regex)
      blank(2)
    } else if let (hashes, quotes) = openingQuotes() {
      stack.append(.text(hashes: hashes, quotes: quotes))
      blank(hashes + quotes)
    } else {
      if case .interpolation(let open) = stack.last {
        stack.removeLast()
        switch characters[position] {
        case "(": stack.append(.interpolation(open: open + 1))
        case ")": if open > 0 { stack.append(.interpolation(open: open - 1)) }
        default: stack.append(.interpolation(open: open))
        }
      }
      out.append(characters[position])
      position += 1
    }
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if stands("/*") {
        depth += 1
        blank(2)
      } else if stands("*/") {
        depth -= 1
        blank(2)
      } else {
        blank(1)
      }
    } while depth > 0 && position < characters.count
  }

  private func openingQuotes() -> (hashes: Int, quotes: Int)? {
    let hashes = characters[position...].prefix { $0 == "#" }.count
    guard stands("\"", at: hashes) else { return nil }
    return (hashes, stands("\"\"\"", at: hashes) ? 3 : 1)
  }

  private mutating func stepText(hashes: Int, quotes: Int) {
    let marks = String(repeating: "#", count: hashes)
    if stands("\\" + marks + "(") {
      blank(hashes + 1)
      out.append("(")
      position += 1
      stack.append(.interpolation(open: 0))
    } else if stands("\\" + marks) {
      blank(hashes + 2)
    } else if stands(String(repeating: "\"", count: quotes) + marks) {
      stack.removeLast()
      blank(quotes + hashes)
    } else {
      blank(1)
    }
  }
}
