import Quantities
import Reports
import Scenarios
import UploadAdapters
import Uploads

/// The lines of a run with the claims behind them, which come over another pipe than the text.
struct LineClaims {
  /// Claims that may wait for their lines; of more the oldest are dropped, and their lines not
  /// judged.
  static let waitingMax = 1_000

  private(set) var shown: [ShownLine] = []
  private var waiting: [(text: String, claim: LineClaim)] = []
  private var life = 0

  /// A line is about to be printed.
  mutating func expect(_ text: String, _ claim: LineClaim) {
    if waiting.count == Self.waitingMax { waiting.removeFirst() }
    waiting.append((Self.read(text), claim))
  }

  /// A line was read; a claim whose line was never printed, because the client was killed in
  /// between, is passed over.
  ///
  /// `figures` are those that patterns read in it, of a client that makes no claims of its own.
  mutating func show(_ text: String, figures: FigureClaim? = nil, at now: Instant, taken: Int) {
    guard shown.count < StatusLineLog.changeLimit else { return }
    var claim = figures.map { ShownLine.Claim.figures($0) }
    if let place = waiting.firstIndex(where: { $0.text == Self.read(text) }) {
      claim = .own(waiting[place].claim)
      waiting.removeFirst(place + 1)
    }
    shown.append(ShownLine(text, at: now, claim: claim, life: life, taken: taken))
  }

  /// What is shown from now on is another process's.
  mutating func clientStarted() {
    life += 1
    waiting = []
  }

  /// A line as it comes out of a terminal.
  private static func read(_ text: String) -> String {
    let printed = StatusPrinter.printed(text)
    guard printed.hasSuffix(" ") else { return printed }
    return String(printed.reversed().drop { $0 == " " }.reversed())
  }
}
