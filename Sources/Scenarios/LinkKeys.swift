import LinkModel
import Quantities

/// A link as it was read, with the times that the horizon of the file bounds.
struct LinkDraft {
  var conditions: LinkConditions
  var times: [Placed<Duration>]
}

/// The keys of `link`.
enum LinkKeys {
  static let up = Field("up", DirectionKeys.reading, required: true, "From client to engine.")
  static let down = Field("down", DirectionKeys.reading, required: true, "From engine to client.")
  static let latency = Field(
    "latency", .duration(ScenarioLimits.latency, example: "100 ms"),
    "One way, in each direction that has none of its own; none when it is left out.")
  static let offline = Field(
    "offline", .list(of: OutageKeys.reading, count: 0...ScenarioLimits.outages),
    "When nothing leaves in either direction: bytes wait, and what has left still arrives.")
  static let buffer = Field(
    "buffer", .size(ScenarioLimits.buffer, example: "64 KB"), required: true,
    """
    What the path takes in of one connection, and acknowledges, before it has crossed the link. \
    Kernel bytes are counted in.
    """)

  static let reading = Reading<LinkDraft>.record([
    up.known, down.known, latency.known, offline.known, buffer.known,
  ]) { record in
    let directions = (up: record.take(up), down: record.take(down))
    let latency = record.take(latency) ?? .zero
    let windows = (record.take(offline) ?? []).compactMap { $0 }
    checkOrder(of: windows, &record.problems)
    guard let buffer = record.take(buffer), let up = directions.up, let down = directions.down
    else { return nil }
    let outages = windows.map { Outage(at: .zero + $0.at.value, duration: $0.duration) }
    func conditions(_ draft: DirectionDraft) -> DirectionConditions {
      DirectionConditions(rate: draft.rate, outages: outages, latency: draft.latency ?? latency)
    }
    return LinkDraft(
      conditions: LinkConditions(up: conditions(up), down: conditions(down), buffer: buffer),
      times: windows.map(\.at) + up.times + down.times)
  }

  private static func checkOrder(of windows: [OutageDraft], _ problems: inout ProblemList) {
    for (window, next) in zip(windows, windows.dropFirst())
    where next.at.value < window.at.value + window.duration {
      problems.add(
        .outagesOverlap(next.at.value, end: window.at.value + window.duration), at: next.at.mark)
    }
  }
}

struct OutageDraft {
  var at: Placed<Duration>
  var duration: Duration
}

/// The keys of one item of `offline`.
enum OutageKeys {
  static let at = Field("at", .linkTime(example: "40 s"), required: true, "When it begins.")
  static let duration = Field(
    "for", .duration(ScenarioLimits.outage, example: "100 s"), required: true, "How long it lasts.")

  static let reading = Reading<OutageDraft>.record([at.known, duration.known]) { record in
    let at = record.take(at)
    let duration = record.take(duration)
    guard let at, let duration else { return nil }
    return OutageDraft(at: at, duration: duration)
  }
}

struct DirectionDraft {
  var rate: Pace
  var latency: Duration?
  var times: [Placed<Duration>] = []
}

/// What stands at `up` and `down`: a rate, or keys.
enum DirectionKeys {
  static let rate = Field("rate", linkRate, "The rate throughout.")
  static let steps = Field(
    "steps", .list(of: StepKeys.reading, count: 1...ScenarioLimits.steps),
    "Rates over time, the first one at 0 s.")
  static let latency = Field(
    "latency", .duration(ScenarioLimits.latency, example: "100 ms"),
    "One way, in this direction.")

  static let reading = Reading<DirectionDraft>(
    schema: .anyOf([linkRate.schema, record.schema])
  ) { node, problems in
    if node.content.kind == .mapping { return record.read(node, &problems) }
    return linkRate.read(node, &problems).map { DirectionDraft(rate: .constant($0)) }
  }

  private static let record = Reading<DirectionDraft>.record(
    [rate.known, steps.known, latency.known], oneOf: ["rate", "steps"]
  ) { record in
    let latency = record.take(latency)
    if let rate = record.take(rate) {
      return DirectionDraft(rate: .constant(rate), latency: latency)
    }
    guard let items = record.take(steps) else { return nil }
    let steps = items.compactMap { $0 }
    guard steps.count == items.count else { return nil }
    checkOrder(of: steps, &record.problems)
    return DirectionDraft(
      rate: .steps(steps.map { RateStep(at: .zero + $0.at.value, rate: $0.rate) }),
      latency: latency, times: steps.map(\.at))
  }

  private static func checkOrder(of steps: [StepDraft], _ problems: inout ProblemList) {
    if let first = steps.first?.at, first.value != .zero {
      problems.add(.firstStepLate(first.value), at: first.mark)
    }
    for (step, next) in zip(steps, steps.dropFirst()) where next.at.value <= step.at.value {
      problems.add(
        .stepsOutOfOrder(next.at.value, previous: step.at.value), at: next.at.mark)
    }
  }

  private static let bytesRate = Reading<DataRate>.rate(ScenarioLimits.rate)

  /// A rate, or one of the two words for the ends of the scale.
  static let linkRate = Reading<LinkRate>.scalar(
    .anyOf([bytesRate.schema, .words(["unlimited", "offline"])])
  ) { text throws(Refusal) in
    switch text {
    case "unlimited": return .unlimited
    case "offline": return .offline
    default:
      if text.allSatisfy(\.isLetter) {
        throw Refusal(.unknownWord(text, known: ["unlimited", "offline"]))
      }
      var problems = ProblemList()
      let value = bytesRate.read(YAMLNode(.scalar(text), at: .start), &problems)
      guard let value else { throw Refusal(problems.items[0].problem) }
      return .limited(value)
    }
  }
}

struct StepDraft {
  var at: Placed<Duration>
  var rate: LinkRate
}

/// The keys of one item of `steps`.
enum StepKeys {
  static let at = Field("at", .linkTime(example: "40 s"), required: true, "From when on.")
  static let rate = Field("rate", DirectionKeys.linkRate, required: true, "The rate from then on.")

  static let reading = Reading<StepDraft>.record([at.known, rate.known]) { record in
    let at = record.take(at)
    let rate = record.take(rate)
    guard let at, let rate else { return nil }
    return StepDraft(at: at, rate: rate)
  }
}

extension Reading where Value == Placed<Duration> {
  /// A time of the run, with its place, so that it can be held against the horizon.
  static func linkTime(example: String) -> Reading {
    Reading<Duration>.duration(
      Duration.zero...ScenarioLimits.horizon.upperBound, example: example
    ).placed
  }
}
