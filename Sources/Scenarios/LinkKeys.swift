import LinkModel
import Quantities

/// The keys of `link`.
enum LinkKeys {
  static let preset = Field(
    "preset", published,
    """
    A published link by its name: its rates, latencies and loss, where the other keys do not say \
    otherwise. onebar proxy --presets lists them.
    """)
  static let up = Field(
    "up", DirectionKeys.reading, required: true, unless: preset.key, "From client to engine.")
  static let down = Field(
    "down", DirectionKeys.reading, required: true, unless: preset.key, "From engine to client.")
  static let offline = Field(
    "offline", .list(of: OutageKeys.reading, count: 0...ScenarioLimits.outages),
    "When nothing leaves in either direction: bytes wait, and what has left still arrives.")
  static let faults = Field(
    "faults", .list(of: FaultKeys.reading.placed, count: 0...ScenarioLimits.faults),
    "What happens to connections; of each kind the first that fits a connection acts.")
  static let buffer = Field(
    "buffer", .size(ScenarioLimits.buffer, example: "64 KB"), required: true,
    """
    What the path takes in of one connection, and acknowledges, before it has crossed the link. \
    Kernel bytes are counted in.
    """)

  static let reading = Reading<LinkDraft>.record(
    [preset.known, up.known, down.known] + DelayKeys.known + [
      offline.known, faults.known, buffer.known,
    ]
  ) { record in
    let preset = record.take(preset)
    let directions = (up: record.take(up), down: record.take(down))
    let delays = DelayKeys.take(from: &record)
    let windows = (record.take(offline) ?? []).compactMap { $0 }
    checkOrder(of: windows, &record.problems)
    let faults = (record.take(faults) ?? []).compactMap { $0 }
    checkReach(of: faults, &record.problems)
    guard let buffer = record.take(buffer) else { return nil }
    let room = buffer - ScenarioLimits.kernelPart
    checkLumps(of: directions.up, room, &record.problems) { .lumpTooLarge($0, room: room) }
    checkLumps(of: directions.down, LinkConditions.defaultBuffer, &record.problems) {
      .answerLumpTooLarge($0)
    }
    return LinkDraft(
      preset: preset, up: directions.up, down: directions.down, delays: delays, outages: windows,
      buffer: buffer, faults: faults.map(\.value))
  }

  private static func checkReach(
    of faults: [Placed<FaultDraft>], _ problems: inout ProblemList
  ) {
    for (place, fault) in faults.enumerated() {
      let first = faults.prefix(place).first { $0.value.fault.covers(fault.value.fault) }
      if let first { problems.add(.ruleNeverReached(first: first.mark), at: fault.mark) }
    }
  }

  private static let published = Reading<LinkPreset>.scalar(.words(LinkPreset.names)) {
    text throws(Refusal) in
    guard let preset = LinkPreset(named: text) else { throw Refusal(.unknownPreset(text)) }
    return preset
  }

  /// A lump carries what waits at its instant: the rest of it would be lost.
  private static func checkLumps(
    of direction: DirectionDraft?, _ room: ByteCount, _ problems: inout ProblemList,
    _ problem: (ByteCount) -> ScenarioProblem
  ) {
    guard case .pace(.lumps(let rate, let every)) = direction?.rate, let mark = direction?.lumps
    else { return }
    let lump = ByteCount(Int((rate.bytesPerSecond * every.inSeconds).rounded()))
    if lump > room { problems.add(problem(lump), at: mark) }
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

/// What stands at `up` and `down`: a rate, or keys.
enum DirectionKeys {
  static let rate = Field("rate", linkRate.placed, "The rate throughout.")
  static let lumps = Field(
    "lumps", Reading<Duration>.duration(ScenarioLimits.lumps, example: "0.5 s").placed,
    "Nothing leaves for this time, and then at once what the rate carries in it.")
  static let steps = Field(
    "steps", .list(of: StepKeys.reading, count: 1...ScenarioLimits.steps),
    "Rates over time, the first one at 0 s.")
  static let trace = Field(
    "trace", Reading<String>.text(example: "lte.up").placed,
    "A file in Mahimahi's format, from this file's folder: a line in ms for each packet.")
  static let scale = Field(
    "scale", Reading<Double>.factor(ScenarioLimits.traceScale, example: "0.5").placed,
    "Bytes per line of the trace are so many times those of a packet.")
  static let once = Field(
    "once", Reading<Bool>.yesOrNo.placed,
    "Whether nothing crosses after the trace, instead of its being played again.")

  static let reading = Reading<DirectionDraft>(
    schema: .anyOf([linkRate.schema, record.schema])
  ) { node, problems in
    if node.content.kind == .mapping { return record.read(node, &problems) }
    return linkRate.read(node, &problems).map { DirectionDraft(rate: .pace(.constant($0))) }
  }

  private static let record = Reading<DirectionDraft>.record(
    [rate.known, lumps.known, steps.known, trace.known, scale.known, once.known] + DelayKeys.known,
    oneOf: ["rate", "steps", "trace"]
  ) { record in
    let delays = DelayKeys.take(from: &record)
    let rate = record.take(rate)
    let lumps = record.take(lumps)
    let steps = record.take(steps)
    let trace = record.take(trace)
    let scale = record.take(scale)
    let once = record.take(once)
    if record.mark(of: "trace") == nil {
      for (key, mark) in [("scale", scale?.mark), ("once", once?.mark)] {
        if let mark { record.problems.add(.needsKey("trace", for: key), at: mark) }
      }
    }
    if let lumps, rate?.value.limit == nil {
      record.problems.add(.lumpsWithoutRate, at: lumps.mark)
    }
    if let trace {
      return DirectionDraft(
        rate: .trace(file: trace, scale: scale?.value ?? 1, once: once?.value ?? false),
        delays: delays)
    }
    if let items = steps {
      let steps = items.compactMap { $0 }
      guard steps.count == items.count else { return nil }
      checkOrder(of: steps, &record.problems)
      return DirectionDraft(
        rate: .pace(.steps(steps.map { RateStep(at: .zero + $0.at.value, rate: $0.rate) })),
        delays: delays, times: steps.map(\.at))
    }
    guard let rate = rate?.value else { return nil }
    if let lumps, let limit = rate.limit {
      return DirectionDraft(
        rate: .pace(.lumps(limit, every: lumps.value)), delays: delays, lumps: lumps.mark)
    }
    return DirectionDraft(rate: .pace(.constant(rate)), delays: delays)
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
