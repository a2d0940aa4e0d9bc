import Quantities

/// The status lines of a variant as they stood one after the other, a row for each capture.
struct ShownLines {
  struct Stay {
    /// An index into the variant's lines.
    var line: Int
    var at: Double
    /// When the next line of the row took its place; nil where none did.
    var end: Double?
  }

  struct Row {
    /// The capture; empty for lines that name none.
    var title: String
    var stays: [Stay]
  }

  /// In order of first showing.
  private(set) var rows: [Row] = []

  init(_ variant: VariantRecord) {
    let captures = variant.files.map(\.capture).distinct
    let lines = variant.statusLines.lines
    let titles = lines.map { line in captures.first { line.text.hasPrefix("\($0):") } ?? "" }
    for showing in variant.statusLines.shown ?? []
    where lines.indices.contains(showing.line) {
      let title = titles[showing.line]
      let stay = Stay(line: showing.line, at: showing.at)
      if let place = rows.firstIndex(where: { $0.title == title }) {
        rows[place].stays[rows[place].stays.count - 1].end = showing.at
        rows[place].stays.append(stay)
      } else {
        rows.append(Row(title: title, stays: [stay]))
      }
    }
  }
}
