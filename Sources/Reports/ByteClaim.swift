package import Quantities
import Uploads

/// The byte count that a status line states, such as `0.45 of 1.65 MB`.
package struct ByteClaim: Hashable, Sendable {
  /// Bytes, as far as two digits after the point of a megabyte tell.
  package var claimed: Int
  package var total: Int

  /// A figure with two digits stands for anything up to half of its last digit away.
  package static let precision = ByteCount(5_000)

  package init(claimed: Int, total: Int) {
    self.claimed = claimed
    self.total = total
  }

  /// What a line shows of it: a part is cut off to the two digits, never rounded up.
  init(_ transfer: LineClaim.Transfer) {
    total = (transfer.total + 5_000) / 10_000 * 10_000
    claimed = transfer.bytes == transfer.total ? total : transfer.bytes / 10_000 * 10_000
  }

  /// The first `<a> of <b> MB` in a line, both with two digits behind a point or a comma; nil when
  /// it has none.
  package init?(in line: String) {
    // By bytes: every line of a run is read, and characters are found far more slowly.
    let words = line.utf8.split(separator: UInt8(ascii: " "))
    for (index, word) in words.enumerated() where index > 0 && word.elementsEqual("of".utf8) {
      guard index + 2 < words.count, words[index + 2].starts(with: "MB".utf8),
        Substring(words[index + 2]).dropFirst(2).first?.isLetter != true,
        let claimed = ByteClaim.bytes(Substring(words[index - 1])),
        let total = ByteClaim.bytes(Substring(words[index + 1]))
      else { continue }
      self.init(claimed: claimed, total: total)
      return
    }
    return nil
  }

  /// The rate behind the byte count of a line, with a point, such as `20.0 KB/s`; nil when it has none.
  static func rate(in line: String) -> String? {
    let words = line.utf8.split(separator: UInt8(ascii: " "))
    for (index, word) in words.enumerated() where index > 1 {
      guard word.elementsEqual("KB/s,".utf8) || word.elementsEqual("MB/s,".utf8),
        words[index - 2].elementsEqual("MB,".utf8)
      else { continue }
      let figure = Substring(words[index - 1]).map { $0 == "," ? "." : $0 }
      return "\(String(figure)) \(Substring(word.dropLast()))"
    }
    return nil
  }

  /// True when the figure may stand for bytes that a socket had taken by then.
  package func isBacked(by handedOver: Int) -> Bool {
    claimed - ByteClaim.precision.bytes <= handedOver
  }

  /// Bytes of a number of megabytes with exactly two digits after the point.
  private static func bytes(_ word: Substring) -> Int? {
    // A bracket or a sign before the figure is none of it.
    let figure = word.drop { !$0.isNumber }
    let parts = figure.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count == 2, parts[1].count == 2, (1...6).contains(parts[0].count),
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let whole = Int(parts[0]), let hundredths = Int(parts[1])
    else { return nil }
    return whole * 1_000_000 + hundredths * 10_000
  }
}
