import JSON

/// HTML as text: everything that came from outside goes through ``escaped(_:)``.
enum Markup {
  /// Safe between tags and inside quoted attributes.
  static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "'": out += "&#39;"
      // No control character has a meaning here, and some are not allowed, nor are these two in XML.
      case "\u{0}"..<" " where scalar != "\n" && scalar != "\t": out += "\u{FFFD}"
      case "\u{FFFE}", "\u{FFFF}": out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Escaped, with what stands between backticks as code.
  static func coded(_ text: String) -> String {
    let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
    return pieces.enumerated().map { index, piece in
      index % 2 == 1 && index + 1 < pieces.count
        ? "<code>\(escaped(String(piece)))</code>" : escaped(String(piece))
    }.joined()
  }

  /// A whole page that needs nothing else, no network and no script; `data` is of its plots, for the
  /// script that reads them out.
  static func page(title: String, main: String, data: [JSONValue]) -> String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>\(escaped(title))</title>
    <style>
    \(PageStyle.text)</style></head><body>
    <main>
    \(main)</main>
    <div id="reading" role="status" hidden></div>
    <script type="application/json" id="data">\(embedded(JSONValue.array(data).line))</script>
    <script>
    \(PageScript.text)</script>
    </body></html>

    """
  }

  /// JSON inside a script element, where a tag in a string would end it.
  static func embedded(_ json: String) -> String {
    json.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003c")
  }

  /// A table that scrolls by itself where it is wider than the page; cells are texts.
  static func table(_ table: ReportTable, rowClass: (Int) -> String? = { _ in nil }) -> String {
    let head = table.header.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let rows = table.rows.enumerated().map { index, cells in
      let marks = rowClass(index).map { " class=\"\($0)\"" } ?? ""
      return "<tr\(marks)>" + cells.map { "<td>\(escaped($0))</td>" }.joined() + "</tr>\n"
    }
    return "<div class=\"wide\"><table><thead><tr>\(head)</tr></thead>\n<tbody>\n"
      + rows.joined() + "</tbody></table></div>\n"
  }

  /// A number with so few digits that a drawing loses nothing by it.
  static func number(_ value: Double) -> String {
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
  }
}
