package import Captures

/// A client under test that somebody else wrote: a program, and what is known of it.
package struct ForeignClient: Hashable, Sendable {
  /// The program, then its arguments.
  package var command: [CommandWord]
  /// It writes to a terminal; else to a pipe.
  package var hasTerminal: Bool
  /// It divides its own times by `ONEBAR_TIME_FACTOR`.
  package var dilates: Bool
  /// The steps whose files it is to send, as far as captures have them; nil when that follows from
  /// its placeholders.
  package var sends: [UploadStep]?
  /// How figures are read in its lines; without any nothing in them is judged.
  package var figures: [FigurePattern]
  /// Where the command stands in the file.
  package var mark: Mark

  package init(
    command: [CommandWord], hasTerminal: Bool = true, dilates: Bool = false,
    sends: [UploadStep]? = nil, figures: [FigurePattern] = [], mark: Mark = .start
  ) {
    self.command = command
    self.hasTerminal = hasTerminal
    self.dilates = dilates
    self.sends = sends
    self.figures = figures
    self.mark = mark
  }

  /// The placeholders in it, each once.
  package var placeholders: [CommandWord.Placeholder] {
    let used = command.flatMap(\.placeholders)
    return CommandWord.Placeholder.allCases.filter(used.contains)
  }

  /// Whether it is to send the file of a step.
  ///
  /// Who is given a file, `{capture}` or `{copy}`, sends that one; who is given the folder, all.
  package func sends(_ step: StepName) -> Bool {
    if let sends { return sends.contains(step.step) }
    let used = placeholders
    let named = (capture: used.contains(.capture), copy: used.contains(.copy))
    guard !used.contains(.captures), named.capture || named.copy else { return true }
    return step == .copy ? named.copy : named.capture
  }
}

extension Scenario {
  /// Why these of its variants cannot be run in virtual time, an error for each; nil when they can.
  package func refusalOfAVirtualRun(of variants: [Variant]) -> ScenarioErrors? {
    refusal(of: variants) { name, _ in .commandInVirtualTime(variant: name) }
  }

  /// Why these of its variants cannot be run in dilated time, an error for each; nil when they can.
  package func refusalOfADilatedRun(of variants: [Variant]) -> ScenarioErrors? {
    refusal(of: variants) { name, client in client.dilates ? nil : .commandAtOwnPace(variant: name)
    }
  }

  private func refusal(
    of variants: [Variant], _ problem: (String, ForeignClient) -> ScenarioProblem?
  ) -> ScenarioErrors? {
    var problems = ProblemList()
    for variant in variants {
      guard case .command(let client) = variant.client,
        let problem = problem(variant.name, client)
      else { continue }
      problems.add(problem, at: client.mark)
    }
    return problems.items.isEmpty ? nil : ScenarioErrors(problems, file: file)
  }
}
