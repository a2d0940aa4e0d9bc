import Quantities

/// A rate as its publisher writes it, and what comes of it on a link.
package enum PublishedRate: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable {
    case kilobits = "kbit/s"
    case megabits = "Mbit/s"
    case kilobytes = "KB/s"
    /// 1,024 bits, by publishers who write kbps and compute so.
    case kibibits = "Kibit/s"
    case mebibits = "Mibit/s"

    fileprivate var bytesPerSecond: Double {
      switch self {
      case .kilobits: 125
      case .megabits: 125_000
      case .kilobytes: 1_000
      case .kibibits: 128
      case .mebibits: 131_072
      }
    }
  }

  /// Of the number that is named, only `percent` are applied where the publisher does so.
  case limited(Double, Unit, percent: Int = 100)
  case offline

  /// What the publisher's own tool applies, in whole bytes per second.
  package var applied: LinkRate {
    switch self {
    case .limited(let number, let unit, let percent):
      // The percentage last: as a fraction it would not be exact.
      let rate = (number * unit.bytesPerSecond * Double(percent) / 100).rounded(.down)
      return .limited(DataRate(bytesPerSecond: rate))
    case .offline: return .offline
    }
  }
}

extension PublishedRate: CustomStringConvertible {
  package var description: String {
    switch self {
    case .limited(let number, let unit, let percent):
      "\(trimmed(number, decimals: 3)) \(unit.rawValue)"
        + (percent == 100 ? "" : ", of which \(percent) % are applied")
    case .offline: "offline"
    }
  }
}
