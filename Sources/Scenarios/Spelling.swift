/// Finds the word that was probably meant.
package enum Spelling {
  /// Longer texts are no misspelt keys, and the distance costs the product of both lengths.
  private static let longest = 64

  /// The nearest of `words`, the first of equals; nil when none is near.
  ///
  /// Near is one change for short words and up to three for long ones: a third of the letters.
  package static func nearest(to word: String, in words: [String]) -> String? {
    guard word.utf8.count <= longest else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in words {
      let allowed = min(3, max(1, max(word.count, candidate.count) / 3))
      let distance = distance(word.lowercased(), candidate.lowercased())
      if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The number of letters put in, left out, changed or swapped with a neighbour.
  ///
  /// Optimal string alignment: the restricted distance of Damerau and Levenshtein.
  package static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        var least = min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          least = min(least, beforeLast[j - 2] + 1)
        }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
