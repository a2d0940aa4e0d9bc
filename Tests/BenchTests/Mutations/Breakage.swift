import Bench
import Quantities
import Reports
import Scenarios
import Testing
import Uploads

/// One thing that is wrong on purpose, and the expectation of a shipped scenario that finds it.
struct Breakage: CustomTestStringConvertible, Sendable {
  /// Such as "the client sends each file twice".
  var what: String
  /// The name of its file, as it ships, and the variant that is broken.
  var scenario: String
  var variant: String
  /// The expectation that is there for it; nil when the instrument finds it: then the run proves
  /// nothing, neither this nor that.
  var red: String?
  /// Others that cannot hold either.
  var also: [String]
  /// The beginning of what the gate says of it, and more of that.
  var sentence: String
  var reason: String
  private let breaking: @Sendable (inout VirtualParts) -> Void

  init(
    _ what: String, in scenario: String, _ variant: String = "after", red: String?,
    also: [String] = [], says sentence: String, and reason: String = "",
    breaking: @escaping @Sendable (inout VirtualParts) -> Void
  ) {
    self.what = what
    self.scenario = scenario
    self.variant = variant
    self.red = red
    self.also = also
    self.sentence = sentence
    self.reason = reason
    self.breaking = breaking
  }

  /// Made anew for each run: some of them remember what has happened.
  var parts: VirtualParts {
    var parts = VirtualParts()
    breaking(&parts)
    return parts
  }

  var testDescription: String { "\(what): \(scenario), \(red ?? "in doubt")" }

  static let all = sending + keeping + showing + serving + carrying
}
