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

  /// A line for each scenario: its file, its name, and its variants.
  package static func list(_ scenarios: [Scenario]) -> String {
    let width = scenarios.map(\.file.count).max() ?? 0
    return scenarios.map { scenario in
      let file = scenario.file + String(repeating: " ", count: width - scenario.file.count)
      let variants = scenario.variants.map(\.name).joined(separator: ", ")
      return "\(file)  \(scenario.name) (\(variants); at most \(scenario.horizon.text))\n"
    }.joined()
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
