import Captures
import Quantities
import ScratchEngine

/// Finds the rules of a script that can never act, each by the first reason.
struct RuleChecks {
  /// In the order of the file, without those that could not be read.
  let rules: [Placed<RuleDraft>]
  /// Nil when they are not known: a foreign client may send anything.
  let captures: [CapturePlan.Kind]?

  func run(_ problems: inout ProblemList) {
    for (place, rule) in rules.enumerated() {
      guard let when = rule.value.when else { continue }
      // What a rule for connections says of requests is an error by itself.
      let isOfConnections = rule.value.then?.at == .connect
      if let (problem, mark) =
        (isOfConnections
          ? nil : contradiction(in: when, of: rule.value) ?? unreachable(rule.value, when))
        ?? shadow(on: rule, when, from: rules[..<place])
      {
        problems.add(problem, at: mark)
      }
    }
  }

  private typealias Finding = (ScenarioProblem, Mark)

  /// What `when` says against itself, or against the captures.
  private func contradiction(in when: RequestPattern, of rule: RuleDraft) -> Finding? {
    typealias Keys = RequestPatternKeys
    if let step = when.step {
      if let captures, let mark = rule.mark(of: Keys.step.key),
        !captures.contains(where: { $0.count(of: step) > 0 })
      {
        return (.stepOfNoCapture(step.rawValue), mark)
      }
      let shapes = RequestShape.all.filter { $0.step == step }
      if let mark = rule.mark(of: Keys.method.key), let method = when.method,
        !shapes.contains(where: RequestPattern(step: step, method: method).mayMatch)
      {
        let methods = shapes.map(\.method)
        return (.methodOfNoStep(method, step: step.rawValue, methods: methods), mark)
      }
      if let mark = rule.mark(of: Keys.path.key), let path = when.path,
        !shapes.contains(where: RequestPattern(step: step, path: path).mayMatch)
      {
        let paths = shapes.map(\.path)
        return (.pathOfNoStep(path, step: step.rawValue, paths: paths), mark)
      }
    }
    if let mark = rule.mark(of: Keys.attempt.key), !RequestShape.all.contains(where: when.mayMatch)
    {
      return (.attemptOfNothingCounted, mark)
    }
    if let mark = rule.mark(of: Keys.body.key), let size = when.bodyAtLeast,
      let largest = largestBody(of: when.step), size > largest
    {
      return (.bodyAboveAll(ByteCount(size), largest: ByteCount(largest)), mark)
    }
    return nil
  }

  /// A place to which no body and no answer comes.
  private func unreachable(_ rule: RuleDraft, _ when: RequestPattern) -> Finding? {
    guard let deed = rule.then, let mark = rule.phaseMark else { return nil }
    switch deed.at {
    case .body, .bodyTime, .silence:
      if let step = when.step, !RequestShape.all.contains(where: { $0.step == step && $0.hasBody })
      {
        return (.stepWithoutBody(step.rawValue), mark)
      }
      guard case .body(let bytes) = deed.at, let largest = largestBody(of: when.step),
        bytes > largest
      else { return nil }
      return (.placeBeyondBodies(ByteCount(bytes), largest: ByteCount(largest)), mark)
    case .answer(let bytes):
      guard let step = when.step, step.sendsFile, bytes > ScenarioLimits.receiptBytes
      else { return nil }
      return (.placeBeyondReceipt(ByteCount(bytes)), mark)
    case .connect, .head, .whole, .stored: return nil
    }
  }

  /// Another rule that takes all that this one could act on.
  private func shadow(
    on rule: Placed<RuleDraft>, _ when: RequestPattern, from earlier: ArraySlice<Placed<RuleDraft>>
  ) -> Finding? {
    let isOfConnections = rule.value.then?.at == .connect
    // One that could not be read whole may act at any phase.
    let rivals = earlier.filter {
      $0.value.then == nil || ($0.value.then?.at == .connect) == isOfConnections
    }
    if let first = rivals.first(where: {
      $0.value.times == nil && $0.value.when?.covers(when) == true
    }) {
      return (.ruleNeverReached(first: first.mark), rule.mark)
    }
    if let attempt = when.attempt, let step = when.step,
      captures?.reduce(0, { $0 + $1.count(of: step) }) == 1,
      let first = rivals.first(where: {
        ($0.value.times ?? 0) >= attempt && $0.value.when?.attempt == nil
          && $0.value.when?.covers(when) == true
      })
    {
      return (.attemptIsTaken(attempt, first: first.mark), rule.mark)
    }
    guard !isOfConnections, let first = rules.first(where: { endsEveryConnection($0.value) }) else {
      return nil
    }
    return (.connectionsEnd(first: first.mark), rule.mark)
  }

  private func endsEveryConnection(_ rule: RuleDraft) -> Bool {
    guard rule.then?.at == .connect, case .close = rule.then?.action, rule.times == nil else {
      return false
    }
    return rule.when?.covers(RequestPattern()) == true
  }

  /// Bytes that a body of that step, or of any, can have; nil when that is not known.
  private func largestBody(of step: UploadStep?) -> Int? {
    if let step, !RequestShape.all.contains(where: { $0.step == step && $0.hasBody }) { return 0 }
    return captures.map { captures in
      let own = captures.flatMap(\.largestFiles).filter { step == nil || $0.step == step }
      let isFile = step?.sendsFile ?? false
      return (own.map(\.bytes) + (isFile ? [] : [EngineLimits().json])).max() ?? 0
    }
  }
}

extension CapturePlan.Kind {
  /// How often it takes a step.
  fileprivate func count(of step: UploadStep) -> Int { plannedSteps.count { $0.step == step } }

  /// The files that are sent, and the most that each can have.
  fileprivate var largestFiles: [(step: UploadStep, bytes: Int)] {
    switch self {
    case .photo, .plate: plannedFiles.map { ($0.step.step, $0.size.bytes) }
    // It is made of about its size.
    case .document: plannedFiles.map { ($0.step.step, 2 * $0.size.bytes) }
    }
  }
}
