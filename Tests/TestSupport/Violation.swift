/// What must not be, whatever happens to the client.
package struct Violation: CustomStringConvertible, Sendable {
  package enum Kind: String, Sendable {
    case lost, unreadableRecord, recordWithoutFile, orphan, twice, sentAgain, wrongBytes, unfinished
  }

  package var kind: Kind
  package var detail: String

  package init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }

  package var description: String { "\(kind): \(detail)" }
}
