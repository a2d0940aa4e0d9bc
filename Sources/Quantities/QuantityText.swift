/// Why a text is not a quantity: the fact, and what would be accepted.
package struct QuantityError: Error, Hashable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

/// A text of a number and a unit, such as `1.43 MB`, `20KB/s` or `100 ms`.
///
/// The space between them may be missing. Digits before the point may be grouped by `_` or `,` in
/// threes; any other comma is refused, since `1,5` is one and a half to many. A number without a
/// unit is refused, and so is a negative one.
private func split(_ text: String, example: String) throws(QuantityError) -> (Double, Substring) {
  let trimmedText = text.drop { $0 == " " }
  let digits = trimmedText.prefix { $0.isASCII && ($0.isNumber || "._,".contains($0)) }
  var unit = trimmedText.dropFirst(digits.count).drop { $0 == " " }
  while unit.last == " " { unit.removeLast() }
  guard let number = number(digits) else {
    throw QuantityError("\"\(text)\" is not a number with a unit; write it as \(example)")
  }
  guard !unit.isEmpty else {
    let unit = example.drop { $0.isNumber || $0 == "." }
    throw QuantityError("\"\(text)\" has no unit; write it as \(digits)\(unit)")
  }
  return (number, unit)
}

/// Digits with or without a point and digits behind it; nil for anything else.
private func number(_ text: Substring) -> Double? {
  let parts = text.split(separator: ".", omittingEmptySubsequences: false)
  let groups = parts[0].split(omittingEmptySubsequences: false) { "_,".contains($0) }
  let isGrouped = groups.count > 1
  guard parts.count <= 2, !groups[0].isEmpty, !isGrouped || groups[0].count <= 3,
    groups.dropFirst().allSatisfy({ $0.count == 3 }),
    parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(\.isNumber)
  else { return nil }
  return Double(groups.joined() + "." + (parts.count == 2 ? parts[1] : "0"))
}

/// The number in the base unit; refused from 10^15 on, where fractions are no longer exact.
private func scaled(_ number: Double, by scale: Double, _ text: String) throws(QuantityError)
  -> Double
{
  guard number * scale < 1e15 else { throw QuantityError("\"\(text)\" is out of range") }
  return number * scale
}

private func unknown(_ unit: Substring, _ text: String, known: String) -> QuantityError {
  QuantityError("\"\(unit)\" in \"\(text)\" is not a unit here; known units: \(known)")
}

/// Reads a share of all such as `1 %` or `0.5%`: one hundredth is 0.01.
///
/// Throws when it is anything else.
package func share(parsing text: String) throws(QuantityError) -> Double {
  let (number, unit) = try split(text, example: "1 %")
  guard unit == "%" else { throw unknown(unit, text, known: "%") }
  return number / 100
}

extension ByteCount {
  /// Reads a size such as `512 B`, `64 KB`, `4.31 MB` or `2 GB`.
  ///
  /// Throws when it is anything else, or no whole number of bytes.
  package init(parsing text: String) throws(QuantityError) {
    let (number, unit) = try split(text, example: "1.43 MB")
    let scale: Double =
      switch unit {
      case "B": 1
      case "KB": 1e3
      case "MB": 1e6
      case "GB": 1e9
      default: throw unknown(unit, text, known: "B, KB, MB, GB (1 KB = 1,000 B)")
      }
    let bytes = try scaled(number, by: scale, text)
    // A whole number of bytes that is written in a larger unit may miss it by a rounding.
    guard abs(bytes - bytes.rounded()) <= max(1e-6, 2 * bytes.ulp) else {
      throw QuantityError("\"\(text)\" is not a whole number of bytes")
    }
    self.init(Int(bytes.rounded()))
  }
}

extension DataRate {
  /// Reads a rate such as `20 KB/s`, `61.4KB/s`, `1 MB/s`, `200 kbit/s` or `10 Mbit/s`.
  ///
  /// Throws when it is anything else; zero is refused, since a link without a rate is `offline`.
  package init(parsing text: String) throws(QuantityError) {
    let (number, unit) = try split(text, example: "20 KB/s")
    let scale: Double =
      switch unit {
      case "B/s": 1
      case "KB/s": 1e3
      case "MB/s": 1e6
      case "GB/s": 1e9
      case "bit/s": 1.0 / 8
      case "kbit/s": 1e3 / 8
      case "Mbit/s": 1e6 / 8
      default: throw unknown(unit, text, known: "B/s, KB/s, MB/s, GB/s, bit/s, kbit/s, Mbit/s")
      }
    guard number > 0 else {
      throw QuantityError("a rate of zero is written offline; a rate without limit, unlimited")
    }
    self.init(bytesPerSecond: try scaled(number, by: scale, text))
  }
}

extension Duration {
  /// Reads a time such as `100 ms`, `5 s`, `2.5 min` or `1 h`.
  ///
  /// Throws when it is anything else.
  package init(parsing text: String) throws(QuantityError) {
    let (number, unit) = try split(text, example: "5 s")
    let scale: Double =
      switch unit {
      case "us": 1e-6
      case "ms": 1e-3
      case "s": 1
      case "min": 60
      case "h": 3_600
      default: throw unknown(unit, text, known: "us, ms, s, min, h")
      }
    // 126 years; nanoseconds in 64 bits reach 292.
    guard number * scale <= 4e9 else { throw QuantityError("\"\(text)\" is out of range") }
    self = .seconds(exactly: number * scale)
  }

  /// Seconds with up to three digits after the point: `0.1 s`, `900 s`.
  package var text: String { "\(trimmed(inSeconds, decimals: 3)) s" }
}
