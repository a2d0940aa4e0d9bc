/// A number with exactly `decimals` digits after an ASCII point, whatever the locale.
///
/// A value that is not finite, or too large for its digits to be known, is written as a dash.
package func fixed(_ value: Double, decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  let scaled = (value * scale).rounded()
  guard abs(scaled) < 1e18 else { return "–" }
  let digits = String(Int64(scaled.magnitude))
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = scaled < 0 ? "-" : ""
  guard decimals > 0 else { return sign + padded }
  return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// As ``fixed(_:decimals:)``, without zeros at the end.
package func trimmed(_ value: Double, decimals: Int) -> String {
  let text = fixed(value, decimals: decimals)
  guard text.contains(".") else { return text }
  let short = String(text.reversed().drop { $0 == "0" }.reversed())
  return short.hasSuffix(".") ? String(short.dropLast()) : short
}
