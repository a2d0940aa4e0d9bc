/// A number as a line shows it, with how finely: `1.2 MB` may stand for anything less than a tenth of
/// a megabyte away, whether it was cut off or rounded.
package struct Figure: Hashable, Sendable {
  /// No size of a file or of a run has more; a line can say anything.
  package static let bytesMax = 1e15
  /// Digits that are read; no size has more.
  static let digitsMax = 15

  /// Of the last digit that is shown.
  private var count: Int
  private var decimals: Int
  private var unit: FigureUnit

  /// The figure in a text such as `390k`, `1.65 MB/s`, `1,650,000` or `45.5`; nil when it is none.
  ///
  /// One without a unit counts the one that is given.
  package init?(_ text: some StringProtocol, unit: FigureUnit) {
    let text = Substring(text).drop { $0 == " " }
    let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
    var suffix = text.dropFirst(number.count).drop { $0 == " " }
    while suffix.last == " " { suffix.removeLast() }
    if suffix.hasSuffix("/s") { suffix.removeLast(2) }
    if suffix.isEmpty {
      self.unit = unit
    } else {
      guard let own = FigureUnit(suffix: suffix) else { return nil }
      self.unit = own
    }
    let mark = Self.decimalMark(in: number, of: self.unit)
    let digits = number.filter(\.isNumber)
    guard number.first?.isNumber == true, digits.count <= Self.digitsMax, let count = Int(digits)
    else { return nil }
    self.count = count
    decimals = mark.map { number.distance(from: $0, to: number.endIndex) - 1 } ?? 0
  }

  /// Where the digits behind the point, or the comma, begin; nil where all marks part thousands.
  private static func decimalMark(
    in number: Substring, of unit: FigureUnit
  ) -> String.Index? {
    guard let last = number.lastIndex(where: { !$0.isNumber }) else { return nil }
    let isAlone = number.firstIndex(where: { !$0.isNumber }) == last
    let others = number[..<last].contains { !$0.isNumber && $0 != number[last] }
    if !isAlone { return others ? last : nil }
    let isOfThousands = number.distance(from: last, to: number.endIndex) == 4
    return unit == .bytes && isOfThousands ? nil : last
  }

  package var isShare: Bool { unit == .percent }

  /// Bytes; nil of a share when the file's size is not known.
  package func bytes(of size: Int?) -> Double? { value(count, of: size) }

  /// As ``bytes(of:)``, whole, and not above ``bytesMax``.
  package func wholeBytes(of size: Int?) -> Int? {
    bytes(of: size).map { Int(min($0, Self.bytesMax)) }
  }

  /// It stands for more than this.
  package func above(of size: Int?) -> Double? { value(count - 1, of: size) }

  /// It stands for less than this.
  package func below(of size: Int?) -> Double? { value(count + 1, of: size) }

  /// Equal of figures that show the same, to tell them apart.
  package var key: Int { Int(min(1e18, number(count) * (isShare ? 1e6 : 1))) }

  private func value(_ count: Int, of size: Int?) -> Double? {
    guard isShare else { return number(count) }
    // A whole number of hundredths of a whole file has to come out as its size.
    return size.map { Double(count) * Double($0) / (tens * 100) }
  }

  private func number(_ count: Int) -> Double { Double(count) * unit.scale / tens }

  private var tens: Double { (0..<decimals).reduce(1) { tens, _ in tens * 10 } }
}
