/// What keeps an entry from being sent again by itself.
package enum Parking: String, Hashable, Sendable, Codable {
  /// The engine has refused a request of it for good.
  case refused
  /// The engine has accepted everything, and what it holds is not what was sent.
  case unconfirmed
  /// This device cannot: a file of it cannot be read, or is no longer what was saved.
  case unsendable

  /// How its line begins: only an engine refuses.
  package var word: String {
    switch self {
    case .refused: "Refused"
    case .unconfirmed: "Not confirmed"
    case .unsendable: "Cannot be sent"
    }
  }
}
