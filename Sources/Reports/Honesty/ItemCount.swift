/// A count of things that a status line states, such as `photo 2 of 3`; megabytes are no things.
struct ItemCount: Hashable {
  var number: Int
  var total: Int

  /// Every `<a> of <b>` of whole numbers in a line.
  static func all(in line: String) -> [ItemCount] {
    // By bytes, as a byte count is looked for: every line of a run is read.
    let words = line.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
    return words.indices.dropFirst().dropLast().compactMap { index in
      guard words[index] == "of", let number = Int(words[index - 1]),
        let total = Int(words[index + 1].prefix { $0.isNumber }),
        words[index + 1].drop(while: \.isNumber).allSatisfy({ ",:;".contains($0) }),
        index + 2 == words.endIndex || !words[index + 2].hasPrefix("MB")
      else { return nil }
      return ItemCount(number: number, total: total)
    }
  }
}
