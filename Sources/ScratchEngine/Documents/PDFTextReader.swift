/// Reads the text that a PDF shows, where its streams are not compressed.
///
/// Streams are read in the order of the file, and of each what stands in literal strings before an
/// operator that shows text: ISO 32000-1, sections 7.3.4.2 (strings), 7.3.8 (streams) and 9.4.3
/// (operators). Octets are taken for Latin 1, which is right for the standard fonts and plain
/// letters. What is malformed ends a stream; the next one is read.
struct PDFTextReader {
  private let bytes: ArraySlice<UInt8>
  private var text = ""
  private var textMax = 0
  /// Where reading goes on.
  private(set) var position: Int
  private(set) var skippedStreams = 0
  private(set) var isAtEnd = false

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// The text up to so many bytes of UTF-8, in lines.
  mutating func read(atMost textMax: Int) -> String {
    self.textMax = textMax
    while let word = find(Self.stream, in: position..<bytes.endIndex) {
      let isFiltered = find(Self.filter, in: position..<word) != nil
      position = word + Self.stream.count
      if isFiltered { skippedStreams += 1 }
      if isFiltered || !readContent() { skipContent() }
      if isFull { break }
    }
    isAtEnd = !isFull
    if text.last == "\n" { text.removeLast() }
    return text
  }

  private var isFull: Bool { text.utf8.count >= textMax }

  /// Goes behind the end of a stream; without one, what follows is no stream either.
  private mutating func skipContent() {
    let end = find(Self.endOfStream, in: position..<bytes.endIndex)
    position = end.map { $0 + Self.endOfStream.count } ?? bytes.endIndex
  }

  /// Reads strings and operators; returns whether the stream ended in order.
  private mutating func readContent() -> Bool {
    var shown: [String] = []
    while position < bytes.endIndex, !isFull {
      let byte = bytes[position]
      if byte == UInt8(ascii: "(") {
        guard let string = readString() else { return false }
        shown.append(string)
      } else if Self.isOperatorByte(byte) {
        let word = readOperator()
        switch word {
        case "endstream": return true
        case "Tj", "TJ": show(shown)
        case "'", "\"":
          startLine()
          show(shown)
        case "T*", "Td", "TD", "Tm", "ET": startLine()
        default: break
        }
        shown = []
      } else {
        position += 1
      }
    }
    return isFull
  }

  private mutating func show(_ strings: [String]) {
    for string in strings where !isFull {
      for scalar in string.unicodeScalars {
        guard text.utf8.count + UTF8.width(scalar) <= textMax else { return cutOff() }
        text.unicodeScalars.append(scalar)
      }
    }
  }

  /// There is no room for the next letter, though a byte may be left.
  private mutating func cutOff() { textMax = text.utf8.count }

  private mutating func startLine() {
    if let last = text.last, last != "\n", !isFull { text.append("\n") }
  }

  private mutating func readOperator() -> String {
    let word = bytes[position...].prefix { Self.isOperatorByte($0) }
    position = word.endIndex
    return String(decoding: word, as: UTF8.self)
  }

  /// The string whose bracket is next; nil when it does not end.
  private mutating func readString() -> String? {
    var scalars = String.UnicodeScalarView()
    var depth = 0
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "("):
        if depth > 0 { scalars.append("(") }
        depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return String(scalars) }
        scalars.append(")")
      case UInt8(ascii: "\\"):
        if let escaped = readEscape() { scalars.append(escaped) }
      default: scalars.append(Unicode.Scalar(byte))
      }
    }
    return nil
  }

  /// What stands behind a backslash; nil for nothing, as at the end of a line.
  private mutating func readEscape() -> Unicode.Scalar? {
    guard position < bytes.endIndex else { return nil }
    let digits = bytes[position...].prefix(3).prefix { Self.octal.contains($0) }
    if !digits.isEmpty {
      position = digits.endIndex
      // Overflow is ignored, as the standard has it.
      return Unicode.Scalar(digits.reduce(UInt8(0)) { $0 &* 8 &+ ($1 - UInt8(ascii: "0")) })
    }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"): return nil
    case UInt8(ascii: "t"): return "\t"
    case 0x0a: return nil
    case 0x0d:
      if position < bytes.endIndex, bytes[position] == 0x0a { position += 1 }
      return nil
    default: return Unicode.Scalar(byte)
    }
  }

  /// Where the word begins, all of it within the range.
  private func find(_ word: [UInt8], in range: Range<Int>) -> Int? {
    var place = range.lowerBound
    while let first = bytes[place..<range.upperBound].firstIndex(of: word[0]) {
      let rest = bytes[first..<range.upperBound]
      guard rest.count >= word.count else { return nil }
      if rest.starts(with: word) { return first }
      place = first + 1
    }
    return nil
  }

  private static func isOperatorByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "*"):
      true
    default: false
    }
  }

  private static let stream = Array("stream".utf8)
  private static let endOfStream = Array("endstream".utf8)
  private static let filter = Array("/Filter".utf8)
  private static let octal = UInt8(ascii: "0")...UInt8(ascii: "7")
}
