/// Bytes of a terminal or a pipe in, lines out, as a user would read them.
///
/// A line ends at a newline or a carriage return, and where a control sequence moves the cursor to
/// the first column or to another place. Terminal control codes (ECMA-48: control sequences, control
/// strings, single controls) and blanks at the end are taken away, a backspace takes the character
/// before it; a line with nothing left is none. Bytes that are no UTF-8 become replacement characters.
package struct LineSplitter: Hashable, Sendable {
  /// A line that grows longer is handed out in pieces of at most this many bytes; none is lost.
  package static let lineLimit = 4_096
  /// A control string that is longer is taken as ended: a stray ESC must not swallow the output.
  package static let controlLimit = 4_096

  private enum State: Hashable {
    case text
    case escape
    /// `ESC [`, until a byte from `@` to `~`.
    case sequence
    /// `ESC ]` and its like, until BEL or `ESC \`.
    case string
    case stringEscape
  }

  private var line: [UInt8] = []
  /// What stood at the end was handed out, and nothing has been added since.
  private var isShown = false
  private var state = State.text
  /// The parameter bytes of a sequence, as far as they tell where a cursor goes.
  private var parameters: [UInt8] = []
  private var controlLength = 0

  package init() {}

  /// The lines that these bytes have ended.
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if let line = step(byte) { lines.append(line) }
    }
    return lines
  }

  /// What stands after the last line end and a user sees already; nil when it was handed out before.
  ///
  /// It is not handed out again when its line ends as it is.
  package mutating func standing() -> String? {
    guard !isShown, let text = shown else { return nil }
    isShown = true
    return text
  }

  /// What stands after the last line end, once the output has ended.
  package mutating func finish() -> String? {
    state = .text
    return takeLine()
  }

  private mutating func step(_ byte: UInt8) -> String? {
    // A line end ends a control code too: a stray one must not join two lines.
    if byte == 0x0A || byte == 0x0D { state = .text }
    switch state {
    case .text: return text(byte)
    case .escape:
      controlLength = 0
      switch byte {
      case UInt8(ascii: "["):
        state = .sequence
        parameters = []
      // OSC, DCS, SOS, PM and APC (ECMA-48, 5.6).
      case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
        UInt8(ascii: "_"):
        state = .string
      // An intermediate byte: the code goes on.
      case 0x20...0x2F: break
      default: state = .text
      }
    case .sequence:
      controlLength += 1
      if (0x40...0x7E).contains(byte) {
        state = .text
        if movesAway(byte) { return takeLine() }
      } else if controlLength >= LineSplitter.controlLimit {
        state = .text
      } else if parameters.count < 2 {
        parameters.append(byte)
      }
    case .string, .stringEscape:
      controlLength += 1
      if byte == 0x07 || (state == .stringEscape && byte == UInt8(ascii: "\\"))
        || controlLength >= LineSplitter.controlLimit
      {
        state = .text
      } else {
        state = byte == 0x1B ? .stringEscape : .string
      }
    }
    return nil
  }

  /// The final byte of a sequence that takes the cursor to the first column, to another line there
  /// or anywhere (CHA, CNL, CPL, CUP, HVP).
  private func movesAway(_ final: UInt8) -> Bool {
    switch final {
    case UInt8(ascii: "E"), UInt8(ascii: "F"), UInt8(ascii: "H"), UInt8(ascii: "f"): true
    case UInt8(ascii: "G"): parameters.isEmpty || parameters == [UInt8(ascii: "1")]
    default: false
    }
  }

  private mutating func text(_ byte: UInt8) -> String? {
    switch byte {
    case 0x0A, 0x0D: return takeLine()
    case 0x08:
      while let last = line.popLast(), last & 0xC0 == 0x80 {}
      isShown = false
    case 0x1B: state = .escape
    case 0x09: return append(0x20)
    case 0..<0x20, 0x7F: break
    // The single controls that are two bytes in UTF-8 (C1).
    case 0x80...0x9F where line.last == 0xC2: line.removeLast()
    default: return append(byte)
    }
    return nil
  }

  /// Adds a byte; hands out a piece first when the line is full, and never in mid-character.
  private mutating func append(_ byte: UInt8) -> String? {
    defer {
      line.append(byte)
      isShown = false
    }
    let continues = byte & 0xC0 == 0x80
    guard line.count >= LineSplitter.lineLimit - (continues ? 0 : 3) else { return nil }
    return takeLine()
  }

  private mutating func takeLine() -> String? {
    defer {
      line.removeAll(keepingCapacity: true)
      isShown = false
    }
    return isShown ? nil : shown
  }

  /// The line without the blanks at its end; nil when nothing is left.
  private var shown: String? {
    let end = line.lastIndex { $0 != 0x20 }
    return end.map { String(decoding: line[...$0], as: UTF8.self) }
  }
}
