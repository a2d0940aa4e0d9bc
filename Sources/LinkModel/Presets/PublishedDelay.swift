import Quantities

/// A delay as its publisher writes it, and what comes of it in each direction of a link.
///
/// In milliseconds. Whether a figure counts for one way or for a round trip decides whether a link
/// is half as slow; every publisher has its own way.
package enum PublishedDelay: Hashable, Sendable {
  case oneWay(up: Double, down: Double)
  case roundTrip(Double)
  /// Added once to each request, by a tool that has no packets; `percent` of it are applied.
  ///
  /// As a round trip, a request on an open connection waits as long here as it does there.
  case request(Double, percent: Int = 100)
  /// Drawn anew between two ends, once in a round trip; the middle is applied.
  case drawn(least: Double, most: Double)
  /// The publisher does not say; taken as a round trip, the reading that adds less.
  case unstated(Double)

  /// What is applied from client to server.
  package var up: Duration {
    if case .oneWay(let up, _) = self { .milliseconds(exactly: up) } else { half }
  }

  /// What is applied from server to client.
  package var down: Duration {
    if case .oneWay(_, let down) = self { .milliseconds(exactly: down) } else { half }
  }

  /// One way of a round trip.
  private var half: Duration {
    switch self {
    case .oneWay(let up, let down): .milliseconds(exactly: (up + down) / 2)
    case .roundTrip(let total), .unstated(let total): .milliseconds(exactly: total / 2)
    case .request(let total, let percent): .milliseconds(exactly: total * Double(percent) / 200)
    case .drawn(let least, let most): .milliseconds(exactly: (least + most) / 4)
    }
  }
}

extension PublishedDelay: CustomStringConvertible {
  package var description: String {
    func text(_ number: Double) -> String { trimmed(number, decimals: 3) }
    switch self {
    case .oneWay(let up, let down):
      return "\(text(up)) ms up and \(text(down)) ms down, one way"
    case .roundTrip(let total): return "\(text(total)) ms, a round trip"
    case .request(let total, let percent):
      return "\(text(total)) ms, a request"
        + (percent == 100 ? "" : ", of which \(percent) % are applied")
    case .drawn(let least, let most): return "\(text(least)) to \(text(most)) ms, a round trip"
    case .unstated(let total): return "\(text(total)) ms, one way or a round trip is not said"
    }
  }
}

extension Duration {
  fileprivate static func milliseconds(exactly milliseconds: Double) -> Duration {
    .seconds(exactly: milliseconds / 1_000)
  }
}
