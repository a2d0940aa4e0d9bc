import Captures
import Quantities
import ScratchEngine
import Uploads

/// Checks the values of a file against each other.
///
/// A check whose values could not all be read stays silent, so that one mistake gives one error.
struct ScenarioChecks {
  let draft: ScenarioDraft

  func run(_ problems: inout ProblemList) {
    for time in draft.link?.times ?? [] { checkHorizon(time, &problems) }
    captures(&problems)
    acts(&problems)
    commands(&problems)
    rules(&problems)
    expectations(&problems)
  }

  private func captures(_ problems: inout ProblemList) {
    var places: [String: Mark] = [:]
    for (capture, name) in zip(draft.captures ?? [], draft.captureNames) {
      guard let capture else { continue }
      let mark = capture.value.name?.mark ?? capture.mark
      if let first = places[name] {
        problems.add(.nameTaken(name, first: first), at: mark)
      } else {
        places[name] = mark
      }
      // The copy of photo-1 is photo-1-copy.jpg: two files of one name otherwise.
      if name.hasSuffix("-copy") { problems.add(.namedLikeACopy(name), at: mark) }
      checkHorizon(capture.value.at, &problems)
    }
  }

  private func acts(_ problems: inout ProblemList) {
    var previous = Duration.zero
    var device = DeviceStory()
    for act in draft.acts ?? [] {
      guard let act else { return }
      checkHorizon(act.at, &problems)
      if act.at.value < previous {
        problems.add(.actsOutOfOrder(act.at.value, previous: previous), at: act.at.mark)
        return
      }
      previous = act.at.value
      if let problem = device.take(act.deed.value, at: act.at.value) {
        problems.add(problem, at: act.deed.mark)
      }
      checkCapture(of: act, &problems)
    }
    for (capture, name) in zip(draft.captures ?? [], draft.captureNames) {
      guard let at = capture?.value.at, let span = device.deadSpan(at: at.value) else { continue }
      problems.add(
        .savedWhileDead(capture: name, since: span.since, end: span.end.rawValue), at: at.mark)
    }
  }

  /// What the user does with a capture comes after its saving: at the same instant, which of the two
  /// comes first is anyone's guess.
  private func checkCapture(of act: ActDraft, _ problems: inout ProblemList) {
    guard let name = act.deed.value.capture, let mark = act.captureMark else { return }
    let names = draft.captureNames
    guard let index = names.firstIndex(of: name) else {
      if draft.captures != nil { problems.add(.unknownCapture(name, known: names), at: mark) }
      return
    }
    guard let saved = draft.captures?[index]?.value.at?.value, act.at.value <= saved else { return }
    problems.add(.notKeptYet(capture: name, at: saved), at: act.at.mark)
  }

  private func rules(_ problems: inout ProblemList) {
    let rules = draft.engine?.rules.compactMap(\.self) ?? []
    for rule in rules { checkHorizon(rule.value.from, &problems) }
    RuleChecks(rules: rules, captures: kinds).run(&problems)
  }

  private func expectations(_ problems: inout ProblemList) {
    let names = draft.variants?.map(\.name)
    for item in draft.expect ?? [] {
      if let names, !names.contains(item.name) {
        problems.add(.unknownVariant(item.name, known: names), at: item.mark)
      }
      for expectation in item.value ?? [] {
        let client = draft.variants?.first { $0.name == item.name }?.value
        check(expectation, of: client, named: item.name, &problems)
        guard let steps, let step = expectation.key.step else { continue }
        if steps.contains(step), client?.sends(StepName(step)) ?? true { continue }
        problems.add(
          .measureOfNoCapture(expectation.key.name, step: step.rawValue), at: expectation.mark)
      }
    }
  }

  private func check(
    _ expectation: ExpectationDraft, of client: TestedClient?, named name: String,
    _ problems: inout ProblemList
  ) {
    let key = expectation.key
    switch client {
    case .command where key.needsBuiltIn:
      problems.add(.measureOfBuiltIn(key.name, variant: name), at: expectation.mark)
    case .command(let client) where key.needsClaims && client.figures.isEmpty:
      problems.add(.measureOfFigures(key.name, variant: name), at: expectation.mark)
    case .builtIn where key.measure == .exit:
      problems.add(.measureOfCommands(key.name, variant: name), at: expectation.mark)
    default: break
    }
  }

  /// A command gets files and a link, and nobody tells it what its user does.
  private func commands(_ problems: inout ProblemList) {
    let commands = (draft.variants ?? []).compactMap { item -> (name: String, ForeignClient)? in
      if case .command(let client) = item.value { (item.name, client) } else { nil }
    }
    for (_, client) in commands { check(client, &problems) }
    guard let name = commands.first?.name else { return }
    for (capture, captureName) in zip(draft.captures ?? [], draft.captureNames) {
      guard let at = capture?.value.at, at.value > .zero else { continue }
      problems.add(.savedLaterThanCommand(captureName, at: at.value, variant: name), at: at.mark)
    }
    for case let act? in draft.acts ?? [] where !act.deed.value.isOfAnyClient {
      problems.add(
        .actOfBuiltIn(act.deed.value.word.rawValue, variant: name), at: act.deed.mark)
    }
  }

  private func check(_ client: ForeignClient, _ problems: inout ProblemList) {
    guard let kinds else { return }
    for word in client.command {
      let wrong = word.placeholders.first { placeholder in
        switch placeholder {
        case .capture: kinds.count != 1 || !kinds[0].isOneFile
        case .copy: kinds.count != 1 || !kinds[0].hasCopy
        case .engine, .captures, .work: false
        }
      }
      guard let wrong else { continue }
      problems.add(.placeholderOfOne(wrong.rawValue, captures: kinds.count), at: word.mark)
    }
    let named = (client.sends ?? []) + client.figures.compactMap(\.file)
    for step in named where steps?.contains(step) == false {
      problems.add(.sendsNothing(step.rawValue), at: client.mark)
    }
  }

  /// The captures of the file; nil when not all of them could be read.
  private var kinds: [CapturePlan.Kind]? {
    guard let captures = draft.captures else { return nil }
    let kinds = captures.compactMap { $0?.value.kind }
    return kinds.count == captures.count ? kinds : nil
  }

  private var steps: [UploadStep]? {
    kinds.map { $0.reduce(into: []) { $0 += $1.plannedSteps.map(\.step) } }
  }

  private func checkHorizon(_ time: Placed<Duration>?, _ problems: inout ProblemList) {
    guard let time, let horizon = draft.horizon, time.value >= horizon else { return }
    problems.add(.beyondHorizon(time.value, horizon: horizon), at: time.mark)
  }
}

extension CapturePlan.Kind {
  /// One file stands for it, whatever else is made of it.
  fileprivate var isOneFile: Bool {
    switch self {
    case .photo, .document: true
    case .plate(let plate): plate.photos == 1
    }
  }

  fileprivate var hasCopy: Bool { if case .photo = self { true } else { false } }

  /// The steps of sending it, in the order in which they are sent.
  var plannedSteps: [StepName] {
    switch self {
    case .photo: [.record, .copy, .turn, .original, .readback]
    case .document: [.record, .document, .text, .readback]
    case .plate(let plate):
      (0..<plate.photos).map { .staged($0 + 1) } + [.encounter, .readback]
    }
  }
}
