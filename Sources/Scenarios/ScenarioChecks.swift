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
        guard let steps, let step = expectation.key.step else { continue }
        let client = draft.variants?.first { $0.name == item.name }?.value?.client
        if steps.contains(step), client?.sends(StepName(step)) ?? true { continue }
        problems.add(
          .measureOfNoCapture(expectation.key.name, step: step.rawValue), at: expectation.mark)
      }
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
