/// What a figure in a line counts when it has no unit of its own.
package enum FigureUnit: String, Hashable, Sendable, CaseIterable {
  case bytes = "B"
  case kilobytes = "KB"
  case kibibytes = "KiB"
  case megabytes = "MB"
  case mebibytes = "MiB"
  case gigabytes = "GB"
  case gibibytes = "GiB"
  /// Of the whole file.
  case percent

  /// How many of the unit's things one is: bytes, or of a percentage the hundredth part of the file.
  var scale: Double {
    switch self {
    case .bytes: 1
    case .kilobytes: 1e3
    case .kibibytes: 1_024
    case .megabytes: 1e6
    case .mebibytes: 1_048_576
    case .gigabytes: 1e9
    case .gibibytes: 1_073_741_824
    case .percent: 0.01
    }
  }

  /// The unit that stands behind a figure; nil when it is none.
  ///
  /// A letter alone means powers of 1,024, as curl, dd and ls write sizes.
  init?(suffix: Substring) {
    switch suffix {
    case "B", "b", "bytes": self = .bytes
    case "kB", "KB": self = .kilobytes
    case "k", "K", "KiB", "kiB": self = .kibibytes
    case "MB": self = .megabytes
    case "M", "MiB": self = .mebibytes
    case "GB": self = .gigabytes
    case "G", "GiB": self = .gibibytes
    case "%": self = .percent
    default: return nil
    }
  }
}
