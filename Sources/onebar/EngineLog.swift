import Quantities
import ScratchEngine

/// What an engine by hand writes down: a line for people as a request ends, and the ledger as JSON
/// lines in a file.
///
/// Each JSON line is one write at the end of the file, so that an engine that is killed leaves whole
/// lines.
final class EngineLog {
  private let isQuiet: Bool
  private let file: LedgerFileWriter?
  private var requestsOver = 0

  init(isQuiet: Bool, file: LedgerFileWriter?) {
    self.isQuiet = isQuiet
    self.file = file
  }

  func add(_ entry: LedgerEntry, _ ledger: Ledger) {
    if case .request = entry { requestsOver += 1 }
    if !isQuiet, let text = Self.text(of: entry, in: ledger) { Terminal.note(text) }
    file?.write(LedgerLine.text(of: entry, in: ledger))
  }

  /// Figures while requests are under way; none otherwise, since each has its line as it ends.
  func figures(_ ledger: Ledger) -> String? {
    let open = ledger.requests.count - requestsOver
    return open > 0 ? "\(open) under way, \(ByteCount(ledger.received)) received" : nil
  }

  /// Nil for a connection whose bytes made sense: its requests have said all.
  private static func text(of entry: LedgerEntry, in ledger: Ledger) -> String? {
    switch entry {
    case .request(let place): line(ledger.requests[place])
    case .connection(let place):
      ledger.connections[place].fault.map { fault in
        let connection = ledger.connections[place]
        return "\(seconds(connection.endedAt ?? connection.openedAt)) #\(place + 1): \(fault)"
      }
    }
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
