/// A table of texts, drawn as Markdown or in columns of a terminal.
package struct ReportTable: Hashable, Sendable {
  /// Narrower, a word no longer fits.
  static let columnMinimum = 6
  /// A longer cell of a Markdown table is cut, and marked.
  static let cellLimit = 300

  var header: [String]
  var rows: [[String]]

  package init(header: [String], rows: [[String]]) {
    self.header = header
    self.rows = rows
  }

  /// A pipe or a line end in a cell would break the table.
  static func markdownRow(_ cells: [String]) -> String {
    let safe = cells.map { markdownText(shortened($0, to: cellLimit)) }
    return "| " + safe.joined(separator: " | ") + " |\n"
  }

  /// Without what Markdown would read as a table's border, an element or a line end.
  static func markdownText(_ text: String) -> String {
    text.map { character in
      switch character {
      case "|": "\\|"
      case "\\": "\\\\"
      case "<": "&lt;"
      case _ where character.isNewline: " "
      default: String(character)
      }
    }.joined()
  }

  static func markdownHeader(_ header: [String]) -> String {
    markdownRow(header) + "|" + String(repeating: " -- |", count: header.count) + "\n"
  }

  var markdown: String {
    ReportTable.markdownHeader(header) + rows.map(ReportTable.markdownRow).joined()
  }

  /// Columns two blanks apart, no line longer than `width`; cells that do not fit are wrapped.
  package func plain(width: Int) -> String {
    var widths = header.map(\.count)
    for row in rows {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    while widths.reduce(0, +) + 2 * (widths.count - 1) > width,
      let widest = widths.max(), widest > ReportTable.columnMinimum,
      let column = widths.lastIndex(of: widest)
    {
      widths[column] -= 1
    }
    return ([header] + rows).map { row in
      let cells = zip(row, widths).map { wrapped($0, width: $1) }
      let height = cells.map(\.count).max() ?? 0
      return (0..<height).map { line in
        let texts = zip(cells, widths).map { cell, width in
          let text = line < cell.count ? cell[line] : ""
          return text + String(repeating: " ", count: max(0, width - text.count))
        }
        return withoutTrailingBlanks(texts.joined(separator: "  ")) + "\n"
      }.joined()
    }.joined()
  }
}

func withoutTrailingBlanks(_ text: String) -> String {
  String(text.reversed().drop { $0 == " " }.reversed())
}

/// The text in lines of at most `width` characters, broken at blanks, and inside words only where a
/// word alone is too long.
func wrapped(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    var rest = word
    if !line.isEmpty, line.count + 1 + rest.count > width {
      lines.append(line)
      line = ""
    }
    while rest.count > width {
      lines.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    line += line.isEmpty ? String(rest) : " \(rest)"
  }
  if !line.isEmpty || lines.isEmpty { lines.append(line) }
  return lines
}
