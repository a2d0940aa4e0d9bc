import Quantities

/// A size as tables show it: megabytes with two digits, as the published figures have them.
func sizeText(_ bytes: Int) -> String {
  switch bytes.magnitude {
  case 1_000_000...: "\(fixed(Double(bytes) / 1e6, decimals: 2)) MB"
  case 1_000...: "\(trimmed(Double(bytes) / 1e3, decimals: 1)) KB"
  default: "\(bytes) B"
  }
}

/// Link seconds as tables show them: to a tenth, and to the millisecond below a second.
func secondsText(_ seconds: Double) -> String {
  "\(trimmed(seconds, decimals: seconds < 1 ? 3 : 1)) s"
}

/// `1 attempt`, `7 attempts`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// `copy`, `copy and original`, `copy, original and document`.
func listed(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " and " + last
}

/// A change in percent with its sign: `+0.5 %`, `-85.7 %`; what is shown as zero has none.
func signedPercent(_ percent: Double, decimals: Int = 1) -> String {
  let shown = trimmed(percent, decimals: decimals)
  guard shown.contains(where: { ("1"..."9").contains($0) }) else { return "0 %" }
  return "\(percent > 0 ? "+" : "")\(shown) %"
}

/// A text of at most `limit` characters; a cut is marked by an ellipsis.
func shortened(_ text: String, to limit: Int) -> String {
  text.count <= limit ? text : text.prefix(limit - 1) + "…"
}

/// What a step sends; the name of a plate's step is no noun.
func noun(ofStep step: String) -> String { step == "staged" ? "staged photos" : step }

/// A text of fewer than `limit` bytes: of a longer one its first whole lines, and the note.
func cut(_ text: String, below limit: Int, note: String) -> String {
  guard text.utf8.count >= limit else { return text }
  let room = limit - note.utf8.count - 1
  var kept: [Substring] = []
  var bytes = 0
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    bytes += line.utf8.count + 1
    guard bytes <= room else { break }
    kept.append(line)
  }
  return kept.joined(separator: "\n") + "\n" + note
}
