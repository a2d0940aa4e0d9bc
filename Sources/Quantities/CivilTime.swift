/// Calendar dates in UTC, written and read without a clock or a locale.
///
/// The calendar arithmetic is Howard Hinnant's `days_from_civil` and `civil_from_days`.
package enum CivilTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let secondsOfDay: Int64 = 86_400

  /// RFC 3339 text in UTC, whole seconds, of milliseconds since 1970-01-01T00:00:00Z.
  package static func rfc3339(milliseconds: Int64) -> String {
    let seconds = floor(milliseconds, by: 1_000)
    let day = floor(seconds, by: secondsOfDay)
    let second = seconds - day * secondsOfDay
    // Counted from 1 March of year 0, so that the leap day is the last of its year.
    let shifted = day + 719_468
    let era = floor(shifted, by: 146_097)
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * ofYear + 2) / 153
    let date = ofYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(date, to: 2))T"
      + time.joined(separator: ":") + "+00:00"
  }

  /// Seconds since 1970-01-01T00:00:00Z of an HTTP date in its preferred form, such as
  /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7); nil when it is none.
  package static func seconds(httpDate text: String) -> Int64? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
      let date = Int64(words[1]), (1...31).contains(date),
      let month = months.firstIndex(of: String(words[2])).map({ Int64($0) + 1 }),
      let year = Int64(words[3]), (1970...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int64($0) }
    guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]),
      (0...60).contains(time[2])
    else { return nil }
    return days(year: year, month: month, date: date) * secondsOfDay
      + time[0] * 3_600 + time[1] * 60 + time[2]
  }

  private static func days(year: Int64, month: Int64, date: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = floor(year, by: 400)
    let yearOfEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
    let ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear
    return era * 146_097 + ofEra - 719_468
  }

  private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }

  private static func padded(_ value: Int64, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
