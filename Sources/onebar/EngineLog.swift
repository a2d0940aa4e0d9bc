import Glibc
import Quantities
import ScratchEngine

/// What an engine by hand writes down: a line for people as a request ends, and the ledger as JSON
/// lines in a file.
///
/// What one turn of the loop brings is written together, before the loop waits: thousands of small
/// requests a second do not each cost two writes.
final class EngineLog {
  private let isQuiet: Bool
  private let file: LedgerFileWriter?
  private var notes = ""

  init(isQuiet: Bool, file: LedgerFileWriter?) {
    self.isQuiet = isQuiet
    self.file = file
  }

  func add(_ entry: LedgerEntry, _ ledger: Ledger) {
    if !isQuiet, let text = Self.text(of: entry, in: ledger) { notes += text + "\n" }
    file?.add(LedgerLine.text(of: entry, in: ledger))
  }

  /// Writes what has come together.
  func flush() {
    if !notes.isEmpty { Terminal.write(notes, to: STDERR_FILENO) }
    notes.removeAll(keepingCapacity: true)
    file?.flush()
  }

  /// Figures while requests are under way; none otherwise, since each has its line as it ends.
  func figures(_ ledger: Ledger) -> String? {
    let open = ledger.requestsKept
    return open > 0 ? "\(open) under way, \(ByteCount(ledger.received)) received" : nil
  }

  /// Nil for a connection whose bytes made sense, that no rule was for and nobody waited for: its
  /// requests have said all.
  private static func text(of entry: LedgerEntry, in ledger: Ledger) -> String? {
    switch entry {
    case .request(let place): line(ledger.requests[place])
    case .connection(let place):
      news(of: ledger.connections[place]).map { news in
        let connection = ledger.connections[place]
        return
          "\(seconds(connection.endedAt ?? connection.openedAt)) #\(connection.number + 1): \(news)"
      }
    }
  }

  private static func news(of connection: LedgerConnection) -> String? {
    if let fault = connection.fault { return fault }
    if connection.timedOut { return "ended by engine, as no further request came in time" }
    return connection.rule.map { "\(connection.end?.rawValue ?? "open") (rule \($0 + 1))" }
  }

  private static func line(_ request: LedgerRequest) -> String {
    let endedAt = request.endedAt ?? request.startedAt
    var outcome = request.status.map { "\($0)" } ?? request.end.rawValue
    if request.end != .answered, let party = request.endedBy {
      outcome += " by \(party.rawValue) at \(request.phase.rawValue)"
    }
    if let rule = request.rule { outcome += " (rule \(rule + 1))" }
    return "\(seconds(endedAt)) #\(request.connection.number + 1)"
      + " \(request.method) \(request.path): \(outcome), \(ByteCount(request.bodyBytes)) in,"
      + " \(ByteCount(request.sent)) out, \(seconds(.zero + (endedAt - request.startedAt)))"
  }

  private static func seconds(_ instant: Instant) -> String {
    "\(fixed(instant.seconds, decimals: 3)) s"
  }
}
