import LinkModel
import Quantities

/// What `onebar scenario check` and `list` print.
package enum ScenarioTexts {
  /// One line for a good file; a line for each error of a bad one.
  package static func check(
    _ result: Result<Scenario, ScenarioErrors>, file: String
  ) -> String {
    switch result {
    case .success(let scenario):
      let parts = [
        count(scenario.variants.count, "variant"), count(scenario.captures.count, "capture"),
        count(scenario.expectations.count, "expectation"),
      ]
      return "\(file): ok (\(parts.joined(separator: ", ")))\n"
    case .failure(let errors): return "\(errors)\n"
    }
  }

  /// Two lines for each scenario: its file and its name; its variants, its link, and how long it takes.
  package static func list(_ scenarios: [Scenario]) -> String {
    let width = scenarios.map(\.file.count).max() ?? 0
    return scenarios.map { scenario in
      let file = scenario.file + String(repeating: " ", count: width - scenario.file.count)
      let variants = scenario.variants.map(\.name).joined(separator: ", ")
      return "\(file)  \(scenario.name)\n"
        + "  \(variants); \(link(of: scenario)); \(time(of: scenario))\n"
    }.joined()
  }

  private static func link(of scenario: Scenario) -> String {
    if let preset = scenario.preset { return preset.name }
    func rate(_ direction: DirectionConditions) -> String {
      let most = direction.rate.fastest?.description
      if direction.changes { return "\(most.map { "at most \($0)" } ?? "a rate") that changes" }
      return direction.rate == .offline ? "nothing" : most ?? "everything at once"
    }
    let (up, down) = (rate(scenario.link.up), rate(scenario.link.down))
    return up == down ? "\(up) each way" : "\(up) up, \(down) down"
  }

  /// Of all variants one after the other, to the horizon.
  private static func time(of scenario: Scenario) -> String {
    let all = scenario.horizon.inSeconds * Double(scenario.variants.count)
    let most = "at most \(trimmed(all, decimals: 0)) s"
    guard scenario.refusalOfARealRun == nil else { return "\(most), with --time virtual only" }
    guard scenario.variants.allSatisfy({ $0.command == nil }) else { return "\(most), at 1x" }
    return "\(most), at 60x \(trimmed((all / 60).rounded(.up), decimals: 0)) s"
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
