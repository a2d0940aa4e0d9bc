/// What is known of the link itself, apart from the engine behind it.
package enum LinkState: String, Hashable, Sendable, Codable {
  case up, down
  case unknown
}

/// Asks for the state of the link: the modelled one in a run, this machine's own by hand.
package protocol LinkCheck: Sendable {
  func state() async -> LinkState
}
