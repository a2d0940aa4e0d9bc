import Captures
import Quantities
import ScratchEngine

struct EngineDraft {
  var turnTakes: Duration?
  var rules: [Placed<RuleDraft>?]
}

struct RuleDraft {
  var step: Placed<UploadStep>?
  var attempt: Int?
  var action: RuleAction?
}

/// The keys of `engine`.
enum EngineKeys {
  static let takes = Field(
    "takes", .duration(ScenarioLimits.engineTime, example: "5 s"), required: true,
    "From the end of the request to the answer.")
  static let turn = Field(
    "turn",
    Reading<Duration>.record([takes.known]) { $0.take(takes) },
    "The practical turn, which reads the copy.")
  static let script = Field(
    "script", .list(of: RuleKeys.reading.placed, count: 0...ScenarioLimits.rules),
    "Rules by which it misbehaves; the first that matches a request acts.")

  static let reading = Reading<EngineDraft>.record([turn.known, script.known]) { record in
    EngineDraft(turnTakes: record.take(turn), rules: record.take(script) ?? [])
  }
}

/// The keys of one item of `script`.
enum RuleKeys {
  static let step = Field(
    "step", Reading<UploadStep>.oneOfItsWords.placed,
    "The step that is requested; any when left out.")
  static let attempt = Field(
    "attempt", Reading<UInt64>.whole(0...100_000, example: "1").placed,
    "The n-th request of that step and capture, counted from 1; any when left out.")
  static let when = Field("when", pattern, required: true, "Which requests the rule is for.")
  static let then = Field("then", RuleActionKeys.reading, required: true, "What happens to them.")

  private static let pattern = Reading<RuleDraft>.record([step.known, attempt.known]) { record in
    let step = record.take(step)
    let attempt = record.take(attempt)
    if let attempt, attempt.value == 0 { record.problems.add(.attemptZero, at: attempt.mark) }
    return RuleDraft(step: step, attempt: attempt.map { Int($0.value) })
  }

  static let reading = Reading<RuleDraft>.record([when.known, then.known]) { record in
    let pattern = record.take(when)
    let action = record.take(then)
    guard var pattern else { return nil }
    pattern.action = action
    return pattern
  }
}

/// The keys of `then`.
enum RuleActionKeys {
  static let answer = Field(
    "answer", .whole(200...599, example: "503"),
    "An answer with this status, once the whole request has been read; nothing is stored.")
  static let headers = Field(
    "headers",
    .named(.headerValue, count: 0...ScenarioLimits.headers, keyPattern: "^[^ :]+$") {
      isToken($0) ? nil : .notHeaderName($0)
    },
    "Headers of that answer, such as Retry-After.")
  static let delay = Field(
    "delay", .duration(ScenarioLimits.engineTime, example: "5 s"),
    "The ordinary answer, this much later.")

  static let reading = Reading<RuleAction>.record(
    [answer.known, headers.known, delay.known], oneOf: ["answer", "delay"]
  ) { record in
    let status = record.take(answer)
    let lines = record.take(headers) ?? []
    let delay = record.take(delay)
    if let mark = record.mark(of: "headers"), record.mark(of: "answer") == nil {
      record.problems.add(.headersWithoutAnswer, at: mark)
    }
    if let status {
      let headers = lines.compactMap { line in
        line.value.map { HeaderLine(name: line.name, value: $0) }
      }
      return .answer(status: Int(status), headers: headers)
    }
    return delay.map { .delay($0) }
  }
}
