import Quantities

extension LinkRate: CustomStringConvertible {
  /// As it is written in a scenario and on the command line.
  package var description: String {
    switch self {
    case .limited(let rate): rate.description
    case .unlimited: "unlimited"
    case .offline: "offline"
    }
  }
}
