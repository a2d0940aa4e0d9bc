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
  /// The keys of `when`, and its times, which other values of the file bound.
  var keys: [YAMLEntry] = []
  var from: Placed<Duration>?
  var times: Int?
  var then: ScriptedDeed?
  /// Where the phase stands, or its deed.
  var phaseMark: Mark?

  func mark(of key: String) -> Mark? { keys.first { $0.key == key }?.value.mark }
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
  static let then = Field(
    "then", DeedKeys.reading, required: true, "What happens to them.")

  static let reading = Reading<RuleDraft>.record([when.known, times.known, then.known]) { record in
    let pattern = record.take(when)
    let times = record.take(times).map { Int($0) }
    let then = record.take(then)
    guard var draft = pattern else { return nil }
    (draft.times, draft.then, draft.phaseMark) = (times, then?.value, then?.mark)
    if draft.then?.at == .connect {
      for entry in draft.keys where RequestPatternKeys.ofRequests.contains(entry.key) {
        record.problems.add(.connectKnowsNo(entry.key), at: entry.mark)
      }
    }
    return draft
  }
}

/// The keys of `when`.
enum RequestPatternKeys {
  static let step = Field(
    "step", Reading<UploadStep>.oneOfItsWords,
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
    "from", .linkTime(example: "0 s"),
    "Requests whose head is read then or later, or connections accepted then, in link seconds.")
  static let until = Field(
    "until",
    Reading<Duration>.duration(ScenarioLimits.horizon, example: "60 s").placed,
    "Requests whose head is read before, or connections accepted before.")
  static let connection = Field(
    "connection", .whole(1...100_000, example: "2"),
    "The n-th connection, counted from 1 in order of opening.")

  static let chance = Field(
    "chance", .share(0...1, example: "25 %"),
    """
    The share of those that it acts on, each drawn from the seed; of the others the next rule is \
    asked. All when it is left out.
    """)

  /// What is not known before there is a request.
  static let ofRequests = [step.key, attempt.key, method.key, path.key, body.key, expect.key]

  static let reading = Reading<RuleDraft>.record([
    step.known, attempt.known, method.known, path.known, body.known, expect.known, from.known,
    until.known, connection.known, chance.known,
  ]) { record in
    let attempt = record.take(attempt)
    if let attempt, attempt.value == 0 { record.problems.add(.attemptZero, at: attempt.mark) }
    var pattern = RequestPattern(
      step: record.take(step), attempt: attempt.map { Int($0.value) })
    pattern.method = record.take(method)
    pattern.path = record.take(path)
    pattern.bodyAtLeast = record.take(body)?.bytes
    pattern.expectsContinue = record.take(expect).map { $0 == "100-continue" }
    let from = record.take(from)
    pattern.from = from.map { .zero + $0.value }
    let until = record.take(until)
    pattern.until = until.map { .zero + $0.value }
    if let until, let from, until.value <= from.value {
      record.problems.add(.emptyWindow, at: until.mark)
    }
    pattern.connection = record.take(connection).map { Int($0) }
    pattern.chance = record.take(chance)
    // Without the field that is wrong it would match more than it was meant to.
    guard record.problems.items.isEmpty else { return nil }
    return RuleDraft(when: pattern, keys: record.entries, from: from)
  }
}
