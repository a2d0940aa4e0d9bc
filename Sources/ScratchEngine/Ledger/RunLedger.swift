import JSON
package import Quantities

/// The ledger of one variant of a run as lines of JSON, each with the variant's name: its
/// connections, then its requests, then a summary.
package struct RunLedger: Sendable {
  private let variant: String
  private let ledger: Ledger
  private let endedAt: Instant
  /// Of each request.
  private let captures: [String?]
  private let lost: Int?

  /// - Parameters:
  ///   - variant: Its name.
  ///   - ledger: What its engine saw.
  ///   - endedAt: When it ended; what ended later, ended by the bench's own stop, and is told as open.
  ///   - captures: The name of the capture of each request, where one is known.
  ///   - lost: Captures that neither client nor engine has; nil when nobody knows.
  package init(
    variant: String, ledger: Ledger, endedAt: Instant, captures: [String?], lost: Int?
  ) {
    self.variant = variant
    self.ledger = ledger
    self.endedAt = endedAt
    self.captures = captures
    self.lost = lost
  }

  /// The lines, made now: they may be long.
  package var text: String {
    var text = ""
    for connection in ledger.connections {
      add("connection", LedgerLine.members(asOfTheEnd(connection)), to: &text)
    }
    for (place, (request, use)) in zip(ledger.requests, ledger.uses).enumerated() {
      let capture = captures[place]
      add(
        "request",
        LedgerLine.members(asOfTheEnd(request)) + [
          ("capture", .optional(capture)), ("use", .optional(use?.rawValue)),
        ], to: &text)
    }
    add("summary", summary, to: &text)
    return text
  }

  private func add(_ kind: String, _ members: [(String, JSONText)], to text: inout String) {
    JSONText.object([("variant", .string(variant)), (kind, .object(members))]).write(to: &text)
    text += "\n"
  }

  private func asOfTheEnd(_ connection: LedgerConnection) -> LedgerConnection {
    guard let end = connection.endedAt, end > endedAt else { return connection }
    var open = connection
    (open.end, open.endedAt) = (nil, nil)
    return open
  }

  private func asOfTheEnd(_ request: LedgerRequest) -> LedgerRequest {
    guard let end = request.endedAt, end > endedAt else { return request }
    var open = request
    (open.end, open.endedBy, open.endedAt) = (.open, nil, nil)
    return open
  }

  private var summary: [(String, JSONText)] {
    let split = ledger.split
    return [
      ("ended_at", .number(endedAt.seconds)),
      ("connections", .integer(ledger.connections.count + ledger.unlistedConnections)),
      ("requests", .integer(ledger.requests.count)),
      ("attempts", .integer(ledger.requests.count(where: \.sendsFile))),
      ("received_bytes", .integer(ledger.received)),
      ("sent_bytes", .integer(ledger.sent)),
      ("useful_bytes", .integer(split.useful)),
      ("repeated_bytes", .integer(split.repeated)),
      ("abandoned_bytes", .integer(split.abandoned)),
      ("overhead_bytes", .integer(split.overhead)),
      ("moments", .integer(ledger.momentsStored)),
      ("duplicates", .integer(ledger.duplicates)),
      ("replays", .integer(ledger.requests.count(where: \.replay))),
      ("lost", .optional(lost)),
    ]
  }
}
