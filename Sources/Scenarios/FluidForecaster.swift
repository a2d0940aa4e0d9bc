import Captures
import LinkModel
import Quantities
import ScratchEngine
import Uploads

/// Walks one variant through a scenario in the fluid model, pass by pass.
package struct FluidForecaster {
  /// A small call that takes as long as this meets a limit of its own, which is not modelled.
  private static let smallCallLimit = Duration.seconds(15)

  private let scenario: Scenario
  private let name: String
  private let policy: UploadPolicy
  private let link: FluidLink
  private let horizon: Instant

  private var queue: [Entry]
  private var attempts: [FluidForecast.Attempt] = []
  /// After a close, the link is busy with what the sender's side still holds until then.
  private var busyUntil = Instant.zero
  private var reasons: [String] = []

  private struct Entry {
    var capture: PlannedCapture
    var steps: ArraySlice<StepName>
  }

  private enum PassEnd {
    case done, failed
    /// The file is too slow, and its entry is sent no more.
    case held
    case over
  }

  private init(_ scenario: Scenario, _ name: String, _ policy: UploadPolicy) {
    self.scenario = scenario
    self.name = name
    self.policy = policy
    link = FluidLink(scenario.link)
    horizon = .zero + scenario.horizon
    queue = scenario.captures.enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map { Entry(capture: $0.element, steps: $0.element.plan.kind.plannedSteps[...]) }
  }

  /// The forecast, or every reason why the model has none.
  package static func forecast(
    _ scenario: Scenario, _ variant: Variant
  ) -> Result<FluidForecast, OutsideTheModel> {
    guard let policy = variant.policy else {
      return .failure(OutsideTheModel(reasons: ["a command decides by itself"]))
    }
    var forecaster = FluidForecaster(scenario, variant.name, policy)
    forecaster.reasons = forecaster.unmodelled()
    if forecaster.reasons.isEmpty { forecaster.walk() }
    guard forecaster.reasons.isEmpty else {
      return .failure(OutsideTheModel(reasons: forecaster.reasons))
    }
    return .success(forecaster.result())
  }

  private func unmodelled() -> [String] {
    var reasons: [String] = []
    if scenario.link.up.rate == .offline || scenario.link.down.rate == .offline {
      reasons.append("the link is offline")
    }
    if scenario.link.up.changes || scenario.link.down.changes {
      reasons.append("the link changes over time")
    }
    if scenario.link.up.hasChance || scenario.link.down.hasChance {
      reasons.append("chance decides when a packet arrives")
    }
    if !scenario.link.faults.isEmpty { reasons.append("the link has faults") }
    if !scenario.engine.rules.isEmpty { reasons.append("the engine has a script") }
    let deeds = scenario.acts.map(\.deed)
    if deeds.contains(where: { [.kill, .powerLoss, .start].contains($0) }) {
      reasons.append("the client is killed and started")
    }
    if deeds.contains(where: { $0.capture != nil }) {
      reasons.append("the user sends or discards a capture")
    }
    if deeds.contains(.fillDisk) { reasons.append("the disk is full for a time") }
    if policy.client == .card { reasons.append("a web card has steps of its own") }
    if !policy.doneSet { reasons.append("the client keeps no record of finished steps") }
    if !policy.stableIDs { reasons.append("the client mints new ids for each try") }
    if policy.order != .capture { reasons.append("the client sends in another order") }
    if policy.sendBuffer > scenario.link.buffer.bytes {
      reasons.append("the client's own send buffer is larger than the path's")
    }
    if link.roundTrip + scenario.engine.turnTakes >= Self.smallCallLimit {
      reasons.append("a small call takes \(Self.smallCallLimit.text) or more, its own limit")
    }
    return reasons
  }

  /// Passes start when something is saved, on a refresh, and a pause after the last one.
  private mutating func walk() {
    var triggers =
      (scenario.captures.map(\.at)
      + scenario.acts.filter { $0.deed == .refresh }.map(\.at)).sorted()[...]
    var syncLoop = Instant.distantFuture
    while reasons.isEmpty {
      let start = min(syncLoop, triggers.first ?? .distantFuture)
      let isDone = triggers.isEmpty && queue.allSatisfy(\.steps.isEmpty)
      if isDone || start >= horizon { return }
      triggers = triggers.drop { $0 <= start }
      var now = start
      let end = pass(from: &now)
      if end == .over { return }
      let asked = triggers.prefix { $0 < now }
      triggers = triggers.dropFirst(asked.count)
      // A pass that was asked for during one that failed is dropped with it.
      let another = policy.coalescing && !asked.isEmpty && end == .done
      syncLoop = another ? now : now + policy.syncPause
    }
  }

  /// One walk over the entries that are there at its start.
  private mutating func pass(from now: inout Instant) -> PassEnd {
    let start = now
    for index in queue.indices where queue[index].capture.at <= start {
      while let step = queue[index].steps.first {
        let end = perform(step, of: queue[index].capture.plan, at: &now)
        guard end == .done || end == .held else { return end }
        queue[index].steps = end == .held ? [] : queue[index].steps.dropFirst()
      }
    }
    return .done
  }

  private mutating func perform(
    _ step: StepName, of plan: CapturePlan, at now: inout Instant
  ) -> PassEnd {
    if now < busyUntil {
      reasons.append("what a close left behind shares the link with the next request")
      return .over
    }
    if let file = plan.kind.plannedFiles.first(where: { $0.step == step }) {
      return send(file.size, step, of: plan.name, at: &now)
    }
    now = now + link.roundTrip + (step == .turn ? scenario.engine.turnTakes : .zero)
    return now <= horizon ? .done : .over
  }

  private mutating func send(
    _ size: ByteCount, _ step: StepName, of capture: String, at now: inout Instant
  ) -> PassEnd {
    guard now < horizon else { return .over }
    let start = now
    let cut = link.cut(of: size, under: policy)
    now = start + (cut?.after ?? link.answer(to: size))
    let seen = min(now, horizon) - start
    var crossed = link.arrived(of: size, after: seen)
    if let cut, policy.cut == .close, now <= horizon {
      // What has been taken in still crosses, as far as the run lasts.
      let takenIn = link.takenIn(of: size, after: cut.after)
      crossed = link.arrived(of: takenIn, after: horizon - start)
      busyUntil = start + link.time(for: takenIn)
    }
    let isOver = now > horizon
    attempts.append(
      FluidForecast.Attempt(
        capture: capture, step: step, start: start, end: min(now, horizon),
        how: isOver ? .horizon : cut?.how ?? .landed, crossed: crossed,
        stored: crossed == size ? start + link.time(for: size) + link.latencyUp : nil))
    if isOver { return .over }
    if cut?.how == .ceiling, policy.holdsSlow { return .held }
    return cut == nil ? .done : .failed
  }

  private func result() -> FluidForecast {
    var useful = ByteCount.zero
    var repeated = ByteCount.zero
    var abandoned = ByteCount.zero
    var files: [FluidForecast.File] = []
    for capture in scenario.captures {
      for (step, size) in capture.plan.kind.plannedFiles {
        let own = attempts.filter { $0.capture == capture.plan.name && $0.step == step }
        var wire = ByteCount.zero
        var isStored = false
        for attempt in own {
          wire = wire + attempt.crossed
          if isStored {
            repeated = repeated + attempt.crossed
          } else if attempt.stored != nil {
            useful = useful + attempt.crossed
          } else {
            abandoned = abandoned + attempt.crossed
          }
          isStored = isStored || attempt.stored != nil
        }
        files.append(
          FluidForecast.File(
            capture: capture.plan.name, step: step, size: size, attempts: own.count, wire: wire,
            landedAt: own.first { $0.how == .landed }?.end))
      }
    }
    let landed = files.compactMap(\.landedAt)
    return FluidForecast(
      variant: name, attempts: attempts, files: files,
      finished: landed.count == files.count ? landed.max() : nil, useful: useful,
      repeated: repeated, abandoned: abandoned)
  }
}
