import Captures
import Quantities
import ScratchEngine

struct EngineDraft {
  var turnTakes: Duration?
  var liveTakes: Duration?
  var heartbeat: Duration?
  var keepAlive: KeepAlive?
  var rules: [Placed<RuleDraft>?]

  /// Without the rules that could not be read, which has been reported as problems.
  var script: EngineScript {
    EngineScript(
      turnTakes: turnTakes ?? .zero, liveTakes: liveTakes ?? .zero,
      heartbeat: heartbeat ?? EngineScript.usualHeartbeat, keepAlive: keepAlive ?? KeepAlive(),
      rules: rules.compactMap { rule in
        guard let rule = rule?.value, let when = rule.when, let then = rule.then else {
          return nil
        }
        return ScriptRule(when: when, times: rule.times, then: then)
      })
  }
}

struct RuleDraft {
  var when: RequestPattern?
  var stepMark: Mark?
  var times: Int?
  var then: ScriptedDeed?
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
  static let live = Field(
    "live",
    Reading<Duration>.record([takes.known]) { $0.take(takes) },
    "The live lane, a short call.")
  static let heartbeat = Field(
    "heartbeat", .duration(ScenarioLimits.wait, example: "30 s"), required: true,
    "From its last word to a comment that shows that it is alive.")
  static let events = Field(
    "events",
    Reading<Duration>.record([heartbeat.known]) { $0.take(heartbeat) },
    "The event stream of a moment.")
  static let keepAlive = Field(
    "keep-alive", KeepAliveKeys.reading,
    "How long a connection is kept without a request; for ever when it is left out.")
  static let script = Field(
    "script", .list(of: RuleKeys.reading.placed, count: 0...ScenarioLimits.rules),
    "Rules by which it misbehaves; the first that matches a request acts.")

  static let reading = Reading<EngineDraft>.record([
    turn.known, live.known, events.known, keepAlive.known, script.known,
  ]) { record in
    EngineDraft(
      turnTakes: record.take(turn), liveTakes: record.take(live), heartbeat: record.take(events),
      keepAlive: record.take(keepAlive), rules: record.take(script) ?? [])
  }
}

/// The keys of one item of `script`.
enum RuleKeys {
  static let when = Field(
    "when", RequestPatternKeys.reading, required: true, "Which requests the rule is for.")
  static let times = Field(
    "times", .whole(1...100_000, example: "2"),
    "How many requests it acts on; all when it is left out.")
  static let then = Field("then", DeedKeys.reading, required: true, "What happens to them.")

  static let reading = Reading<RuleDraft>.record([when.known, times.known, then.known]) { record in
    var draft = RuleDraft()
    let pattern = record.take(when)
    draft.times = record.take(times).map { Int($0) }
    draft.then = record.take(then)
    guard let pattern else { return nil }
    draft.when = pattern.pattern
    draft.stepMark = pattern.stepMark
    return draft
  }
}

/// The keys of `when`.
enum RequestPatternKeys {
  static let step = Field(
    "step", Reading<UploadStep>.oneOfItsWords.placed,
    "The step that is requested; any when left out.")
  static let attempt = Field(
    "attempt", Reading<UInt64>.whole(0...100_000, example: "1").placed,
    "The n-th request of that step and capture, counted from 1; any when left out.")
  static let method = Field(
    "method", .word(["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"]),
    "The method; any when left out.")
  static let path = Field(
    "path", .path(example: "/api/moments/*/turns"),
    "The path without its query; * stands for any characters, so that \"/*\" is every path.")
  static let body = Field(
    "body", .size(ScenarioLimits.scriptedBytes, example: "1 MB"),
    "Declared bytes of the body, at least.")
  static let expect = Field(
    "expect", .word(["100-continue", "nothing"]),
    "Requests with Expect: 100-continue, or those without; any when left out.")
  static let from = Field(
    "from", Reading<Duration>.duration(.zero...ScenarioLimits.horizon.upperBound, example: "0 s"),
    "Requests whose head is read then or later, in link seconds.")
  static let until = Field(
    "until",
    Reading<Duration>.duration(ScenarioLimits.horizon, example: "60 s").placed,
    "Requests whose head is read before.")
  static let connection = Field(
    "connection", .whole(1...100_000, example: "2"),
    "The n-th connection, counted from 1 in order of opening.")

  struct Draft {
    var pattern: RequestPattern
    var stepMark: Mark?
  }

  static let reading = Reading<Draft>.record([
    step.known, attempt.known, method.known, path.known, body.known, expect.known, from.known,
    until.known, connection.known,
  ]) { record in
    let step = record.take(step)
    let attempt = record.take(attempt)
    if let attempt, attempt.value == 0 { record.problems.add(.attemptZero, at: attempt.mark) }
    var pattern = RequestPattern(step: step?.value, attempt: attempt.map { Int($0.value) })
    pattern.method = record.take(method)
    pattern.path = record.take(path)
    pattern.bodyAtLeast = record.take(body)?.bytes
    pattern.expectsContinue = record.take(expect).map { $0 == "100-continue" }
    pattern.from = record.take(from).map { .zero + $0 }
    let until = record.take(until)
    pattern.until = until.map { .zero + $0.value }
    if let until, let from = pattern.from, .zero + until.value <= from {
      record.problems.add(.emptyWindow, at: until.mark)
    }
    pattern.connection = record.take(connection).map { Int($0) }
    // Without the field that is wrong it would match more than it was meant to.
    guard record.problems.items.isEmpty else { return nil }
    return Draft(pattern: pattern, stepMark: step?.mark)
  }
}
