import Quantities

/// When a photo was taken: local time and its distance from UTC, as a camera writes both.
package struct CaptureTime: Hashable, Sendable {
  /// `YYYY-MM-DDTHH:MM:SS`.
  package var local: String
  /// `+HH:MM` or `-HH:MM`; -00:00 and Z become +00:00.
  package var offset: String

  package var rfc3339: String { local + offset }

  /// `YYYY:MM:DD HH:MM:SS`, the form of EXIF 2.32, section 4.6.5.
  var exifDate: String {
    String(local.map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 })
  }

  /// Reads RFC 3339 with offset and whole seconds.
  package init(rfc3339 text: String) throws {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, let local = Self.local(bytes[..<19], dateMark: "-", dayMark: "T"),
      let offset = Self.offset(bytes[19...])
    else { throw CaptureError.badTime(text) }
    self.local = local
    self.offset = offset
  }

  /// Draws a time of the years 2019 to 2025, in one of the offsets in use.
  init(from random: inout SeededRandom) {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date =
      "\(random.whole(2019...2025))-\(two(random.whole(1...12)))"
      + "-\(two(random.whole(1...28)))"
    local =
      "\(date)T\(two(random.whole(6...21))):\(two(random.whole(0...59)))"
      + ":\(two(random.whole(0...59)))"
    offset = random.pick([
      "-09:30", "-08:00", "-05:00", "-03:00", "+00:00", "+01:00", "+02:00", "+05:30", "+05:45",
      "+09:00", "+12:00",
    ])
  }

  /// A date and time of 19 characters as `YYYY-MM-DDTHH:MM:SS`; nil unless the calendar has it.
  static func local(
    _ bytes: some RandomAccessCollection<UInt8>, dateMark: Unicode.Scalar, dayMark: Unicode.Scalar
  ) -> String? {
    let text = Array(bytes)
    guard text.count == 19, text[4] == UInt8(ascii: dateMark), text[7] == UInt8(ascii: dateMark),
      text[10] == UInt8(ascii: dayMark), text[13] == UInt8(ascii: ":"),
      text[16] == UInt8(ascii: ":"),
      let year = digits(text[0..<4]), let month = digits(text[5..<7]),
      let day = digits(text[8..<10]), let hour = digits(text[11..<13]),
      let minute = digits(text[14..<16]), let second = digits(text[17..<19])
    else { return nil }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard year > 0, (1...12).contains(month), (1...days[month - 1]).contains(day), hour < 24,
      minute < 60, second < 60
    else { return nil }
    var result = text
    (result[4], result[7], result[10]) = (UInt8(ascii: "-"), UInt8(ascii: "-"), UInt8(ascii: "T"))
    return String(decoding: result, as: UTF8.self)
  }

  /// `+HH:MM`, `-HH:MM` or `Z` as a signed offset; nil for anything else, such as a time of day.
  static func offset(_ bytes: some RandomAccessCollection<UInt8>) -> String? {
    let text = Array(bytes)
    if text == [UInt8(ascii: "Z")] { return "+00:00" }
    guard text.count == 6, text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
      text[3] == UInt8(ascii: ":"), let hours = digits(text[1..<3]),
      let minutes = digits(text[4..<6]),
      // The offsets in use run from -12:00 to +14:00.
      hours <= 14, minutes < 60
    else { return nil }
    return hours == 0 && minutes == 0 ? "+00:00" : String(decoding: text, as: UTF8.self)
  }

  private static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
}
