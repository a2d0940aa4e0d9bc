package import Quantities

/// Remembers what each entry's line says, and prints a line only when it says something new.
package struct StatusBoard: Sendable {
  /// Lines of one entry in any second while it is being sent; a further one waits for a tick.
  package static let linesPerSecondMax = 4

  private struct Shown {
    var text: String
    /// The newest ``linesPerSecondMax`` times at which the line changed.
    var changes: [Instant]
  }

  private let style: UploadPolicy.LineStyle
  private let numbers: NumberStyle
  /// What is kept is kept in a web page.
  private let inPage: Bool
  private let print: @Sendable (String, LineClaim?) -> Void
  private let lasting: (@Sendable (String) -> Void)?
  /// By entry id; only ever looked up.
  private var shown: [String: Shown] = [:]

  /// `print` is given each line with the claim behind it; nil for a line that belongs to no entry.
  ///
  /// `lasting` is given only those by which an entry is left as it is, and those that belong to none.
  package init(
    style: UploadPolicy.LineStyle, inPage: Bool = false, numbers: NumberStyle = .point,
    print: @escaping @Sendable (String, LineClaim?) -> Void,
    lasting: (@Sendable (String) -> Void)? = nil
  ) {
    self.numbers = numbers
    self.style = style
    self.inPage = inPage
    self.print = print
    self.lasting = lasting
  }

  package mutating func show(_ standing: EntryStanding, of entry: OutboxEntry, now: Instant) {
    let text = StatusLine.text(
      standing, of: entry.capture, kind: entry.kind, sizes: entry.files.count, style: style,
      inPage: inPage, numbers: numbers, now: now)
    guard let text, shown[entry.id]?.text != text else { return }
    var changes = shown[entry.id]?.changes ?? []
    // Only figures may wait: a change of state is never held back behind them, and four labels
    // cannot be too many.
    if case .sending = standing, style == .live, changes.count == Self.linesPerSecondMax,
      let oldest = changes.first, now - oldest < .seconds(1)
    {
      return
    }
    changes = changes.suffix(Self.linesPerSecondMax - 1) + [now]
    shown[entry.id] = Shown(text: text, changes: changes)
    print(text, LineClaim(standing, of: entry.capture, style: style, now: now))
    if standing.isLasting { lasting?(text) }
  }

  package mutating func forget(_ entry: OutboxEntry) {
    shown[entry.id] = nil
  }

  /// A line that belongs to no entry.
  package func say(_ text: String) {
    print(text, nil)
    lasting?(text)
  }
}
