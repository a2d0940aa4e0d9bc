import CPCRE

/// A pattern with named groups that is looked for in lines of text, in the syntax of PCRE2.
///
/// A search that tries too many ways is given up: no pattern, and no line, can hold a run for longer
/// than some milliseconds. It belongs to the thread that made it.
final class LinePattern {
  /// Ways that one search may try; a line of a progress meter takes some hundred.
  static let stepsMax: UInt32 = 100_000
  /// What one search may hold in memory, in units of 1,024 bytes.
  private static let heapMax: UInt32 = 4_096

  /// Why a text is no pattern: in PCRE2's words, and behind how many of its bytes.
  struct Mistake: Error {
    var words: String
    var offset: Int
  }

  enum Finding: Hashable {
    /// What the groups held; those that took no part are left out.
    case found([String: String])
    case notFound
    /// The search was given up.
    case tooHard
  }

  /// The names of its groups, in the order of the alphabet.
  let groups: [String]
  private let numbers: [Int]
  private let code: OpaquePointer
  private let match: OpaquePointer
  private let limits: OpaquePointer

  init(_ text: String) throws(Mistake) {
    var (error, offset): (CInt, Int) = (0, 0)
    let utf8 = Array(text.utf8)
    guard
      let code = pcre2_compile_8(
        utf8, utf8.count, UInt32(PCRE2_UTF) | UInt32(PCRE2_NEVER_BACKSLASH_C), &error, &offset, nil)
    else { throw Mistake(words: Self.words(for: error), offset: offset) }
    guard let match = pcre2_match_data_create_from_pattern_8(code, nil),
      let limits = pcre2_match_context_create_8(nil)
    else { preconditionFailure("there is no memory for the groups of a pattern") }
    pcre2_set_match_limit_8(limits, Self.stepsMax)
    pcre2_set_heap_limit_8(limits, Self.heapMax)
    let names = Self.names(in: code)
    (groups, numbers) = (names.map(\.name), names.map(\.number))
    (self.code, self.match, self.limits) = (code, match, limits)
  }

  deinit {
    pcre2_match_context_free_8(limits)
    pcre2_match_data_free_8(match)
    pcre2_code_free_8(code)
  }

  /// The first place in a line where it fits.
  func search(_ line: String) -> Finding {
    var line = line
    return line.withUTF8 { utf8 in
      let result = pcre2_match_8(code, utf8.baseAddress, utf8.count, 0, 0, match, limits)
      guard result > 0 else { return result == PCRE2_ERROR_NOMATCH ? .notFound : .tooHard }
      guard let ends = pcre2_get_ovector_pointer_8(match) else { return .notFound }
      var held: [String: String] = [:]
      for (name, number) in zip(groups, numbers) where number < Int(result) {
        let (start, end) = (ends[2 * number], ends[2 * number + 1])
        // A group that took no part has no place.
        guard start <= end, end <= utf8.count else { continue }
        held[name] = String(decoding: utf8[Int(start)..<Int(end)], as: UTF8.self)
      }
      return .found(held)
    }
  }

  /// The table of names: entries of equal size, each a number of two bytes and a text that a zero ends.
  private static func names(in code: OpaquePointer) -> [(name: String, number: Int)] {
    var (count, size): (UInt32, UInt32) = (0, 0)
    var table: UnsafePointer<UInt8>?
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table else { return [] }
    return (0..<Int(count)).map { index in
      let entry = table + index * Int(size)
      return (String(cString: entry + 2), Int(entry[0]) << 8 | Int(entry[1]))
    }
  }

  private static func words(for error: CInt) -> String {
    var text = [UInt8](repeating: 0, count: 256)
    let length = pcre2_get_error_message_8(error, &text, text.count)
    return String(decoding: text.prefix(max(0, Int(length))), as: UTF8.self)
  }
}
