import Captures
import LinkModel
import Quantities
import ScratchEngine
import Uploads

/// A scenario in words: the conditions, and for each variant what the fluid model says, step by
/// step with its numbers, so that a measured run can be followed with a pencil.
package struct ScenarioExplanation {
  private let scenario: Scenario
  private let link: FluidLink

  package init(_ scenario: Scenario) {
    self.scenario = scenario
    link = FluidLink(scenario.link)
  }

  package var text: String {
    var lines = conditions + [""] + ScenarioTimeline(scenario).lines
    for variant in scenario.variants {
      lines += ["", heading(of: variant)]
      lines += explanation(of: variant).map { "  \($0)" }
      lines += scenario.expectations.filter { $0.variant == variant.name }.map {
        "  expected: \($0.name): \($0.text)"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var conditions: [String] {
    var lines = [
      "\(scenario.name) (\(scenario.file))",
      "seed \(scenario.seed), at most \(seconds(scenario.horizon))",
      "",
      "The link carries \(scenario.link.up.words) up and \(scenario.link.down.words) down,"
        + " with a latency of \(scenario.link.up.delayWords) up and "
        + "\(scenario.link.down.delayWords) down.",
      "Of each connection it takes in \(scenario.link.buffer) before they have crossed.",
    ]
    if let preset = scenario.preset { lines.append("The preset is \(preset.citation).") }
    lines += scenario.link.faults.map { "\($0.words)." }
    for capture in scenario.captures {
      let files = capture.plan.kind.plannedFiles.map { "\($0.step) \($0.size)" }
      lines.append(
        "At \(seconds(capture.at)) \(capture.plan.name) is saved: "
          + files.joined(separator: ", ") + ".")
    }
    for act in scenario.acts { lines.append("At \(seconds(act.at)): \(act.deed.words).") }
    if scenario.refusalOfARealRun != nil {
      lines.append("It runs with --time virtual only: power and disk are simulated there alone.")
    }
    if scenario.engine.turnTakes > .zero {
      lines.append("A turn takes \(seconds(scenario.engine.turnTakes)).")
    }
    if scenario.engine.liveTakes > .zero {
      lines.append("A live call takes \(seconds(scenario.engine.liveTakes)).")
    }
    if scenario.engine.heartbeat != EngineScript.usualHeartbeat {
      lines.append(
        "A quiet event stream shows that it is alive every \(seconds(scenario.engine.heartbeat)).")
    }
    lines += scenario.engine.keepAlive.sentences
    for (number, rule) in scenario.engine.rules.enumerated() {
      lines.append("Rule \(number + 1) of the engine's script, for \(rule.words).")
    }
    return lines + floor
  }

  /// What the link alone says of the finish.
  private var floor: [String] {
    guard let floor = FluidForecast.floor(of: scenario, for: scenario.variants) else {
      return scenario.link.up.rate.fastest == nil
        ? [] : ["The link never carries all of the files."]
    }
    if scenario.captures.allSatisfy({ $0.at == .zero }) {
      return ["All files take \(seconds(floor)) on the link; no client can be done sooner."]
    }
    return [
      "All files have crossed the link at \(seconds(floor)) at the soonest; no client can be done"
        + " sooner."
    ]
  }

  private func heading(of variant: Variant) -> String {
    switch variant.client {
    case .builtIn(let policy): heading(of: variant.name, policy)
    case .command(let client):
      "\(variant.name) (command): "
        + [
          client.command.map { $0.text.contains(" ") ? "\"\($0.text)\"" : $0.text }
            .joined(separator: " "),
          client.hasTerminal ? "on a terminal" : "into a pipe",
          client.dilates ? "its times divided by the factor" : "at its own pace, in real time only",
        ].joined(separator: ", ")
    }
  }

  private func heading(of name: String, _ policy: UploadPolicy) -> String {
    let idle =
      switch policy.idle {
      case .fixed(let limit): "idle limit \(seconds(limit))"
      case .fromBody(let least):
        "idle limit body / \(UploadPolicy.IdleRule.expectedRate), at least \(seconds(least))"
      }
    let settings =
      [
        idle, "ceiling \(seconds(policy.ceiling))", policy.line == .live ? "a live line" : "labels",
        policy.coalescing ? "drains coalesced" : "no coalescing", "cut by \(policy.cut.rawValue)",
        policy.client == .card
          ? "kept in a web page, sent again when asked to"
          : "pause \(seconds(policy.syncPause)) after a pass",
      ].map(Optional.some) + [
        policy.doneSet ? nil : "no done set", policy.stableIDs ? nil : "new ids for each try",
        policy.order == .capture ? nil : "order \(policy.order.rawValue)",
        policy.holdsSlow ? "a file that is too slow is held" : nil,
        policy.backsOff ? "back-off from the third whole body refused" : nil,
        policy.strangers == .wait ? "a stranger's refusal may pass" : nil,
        policy.counting == .acknowledged ? "bytes counted as acknowledged" : nil,
      ]
    return "\(name) (policy \(policy.name)): "
      + settings.compactMap(\.self).joined(separator: ", ")
  }

  private func explanation(of variant: Variant) -> [String] {
    switch variant.client {
    case .command: return plan(of: variant)
    case .builtIn(let policy):
      switch FluidForecaster.forecast(scenario, variant) {
      case .failure(let outside):
        return outside.reasons.map { "no forecast: \($0), which the fluid model leaves out" }
      case .success(let forecast):
        return forecast.files.flatMap { derivation(of: $0, in: forecast, under: policy) }
          + summary(of: forecast)
      }
    }
  }

  /// What is known of a client that decides by itself.
  private func plan(of variant: Variant) -> [String] {
    let files = scenario.captures.flatMap { capture in
      capture.plan.kind.plannedFiles.filter { variant.client.sends($0.step) }
        .map { "\(capture.plan.name) \($0.step) (\($0.size))" }
    }
    return ["It is to send \(files.joined(separator: ", ")); how, it decides by itself."]
      + (variant.command?.figures ?? []).flatMap(Self.words)
      + (FluidForecast.floor(of: scenario, for: [variant]).map {
        ["That takes \(seconds($0)) on the link at least."]
      } ?? [])
  }

  /// What is read in the lines of a command, and held against link and engine.
  private static func words(_ figures: FigurePattern) -> [String] {
    let file = figures.file.map { "the \($0.rawValue)" } ?? "the file under way"
    return [
      figures.pattern.map {
        "A line with \($0) says how much of \(file) it has sent, in \(figures.unit.rawValue)."
      },
      figures.done.map { "A line with \($0) says that \(file) has landed." },
    ].compactMap(\.self)
  }

  /// How the attempts at one file come about; times are counted from the start of an attempt.
  private func derivation(
    of file: FluidForecast.File, in forecast: FluidForecast, under policy: UploadPolicy
  ) -> [String] {
    let own = forecast.attempts.filter { $0.capture == file.capture && $0.step == file.step }
    let title = "\(file.capture) \(file.step), \(file.size)"
    guard let first = own.first else { return ["\(title): never started."] }
    var lines = ["\(title): first started at \(seconds(first.start)). From its start:"]
    lines.append("  \(intake(of: file.size))")
    let answer = link.answer(to: file.size)
    guard let cut = link.cut(of: file.size, under: policy) else {
      lines.append(
        "  its answer comes at \(seconds(answer)), before any limit"
          + "\(own.count > 1 ? "; \(own.count) attempts" : "").")
      if let landed = file.landedAt { lines.append("  It landed at \(seconds(landed)).") }
      if first.how == .horizon { lines.append("  The run is over before that.") }
      return lines
    }
    let limit = policy.idle.quietLimit(for: file.size)
    lines.append(
      cut.how == .ceiling
        ? "  the ceiling fires at \(seconds(cut.after)); the answer would come at "
          + "\(seconds(answer))."
        : "  \(seconds(limit)) later the idle limit fires, at \(seconds(cut.after)); the answer "
          + "would come at \(seconds(answer)).")
    if first.how != .horizon {
      lines.append(
        "  \(first.crossed) arrive; "
          + (policy.cut == .reset
            ? "the reset discards the rest." : "the close lets what was taken in arrive as well."))
    }
    lines.append("  \(repetition(of: own, pause: policy.syncPause))")
    if let last = own.last, last.how == .horizon {
      lines.append("  The run ends during the last attempt, of which \(last.crossed) arrive.")
    }
    return lines
  }

  private func intake(of size: ByteCount) -> String {
    if size <= link.buffer {
      return "all of it is taken in at once, so that nothing more is counted;"
    }
    return "\(link.buffer) is taken in at once and the rest at the pace of the link; the last byte "
      + "is counted at \(seconds(link.intake(of: size)));"
  }

  private func repetition(of own: [FluidForecast.Attempt], pause: Duration) -> String {
    guard own.count > 1 else { return "1 attempt starts inside \(seconds(scenario.horizon))." }
    let cycles = zip(own.dropFirst(), own).map { $0.start - $1.start }
    let isRegular = cycles.allSatisfy { $0 == cycles[0] }
    let cycle = isRegular ? "a cycle is \(seconds(cycles[0])), and " : ""
    let starts = own.prefix(3).map { seconds($0.start) }.joined(separator: ", ")
    return
      "After a pause of \(seconds(pause)) it starts again: \(cycle)\(own.count) attempts start "
      + "inside \(seconds(scenario.horizon)) (\(starts)\(own.count > 3 ? ", ..." : ""))."
  }

  private func summary(of forecast: FluidForecast) -> [String] {
    let wire = forecast.files.reduce(ByteCount.zero) { $0 + $1.wire }
    let landed = forecast.files.count { $0.landedAt != nil }
    var lines = forecast.files.map {
      "forecast: \($0.capture) \($0.step): attempts \($0.attempts), wire \($0.wire), "
        + ($0.landedAt.map { "landed at \(seconds($0))" } ?? "not landed")
    }
    lines.append(
      "forecast: wire \(wire) (useful \(forecast.useful), repeated \(forecast.repeated), "
        + "abandoned \(forecast.abandoned)); landed \(landed) of \(forecast.files.count); "
        + (forecast.finished.map { "finished at \(seconds($0))" } ?? "not finished"))
    return lines
  }

  private func seconds(_ duration: Duration) -> String {
    "\(trimmed(duration.inSeconds, decimals: 1)) s"
  }

  private func seconds(_ instant: Instant) -> String {
    seconds(instant - .zero)
  }
}

extension Act.Deed {
  fileprivate var words: String {
    switch self {
    case .setClock(let jump): "\(word.rawValue) by \(jump.text)"
    case .sendNow(let name), .discard(let name): "\(word.rawValue) of \(name)"
    case .kill, .powerLoss, .start, .refresh, .fillDisk, .freeDisk: word.rawValue
    }
  }
}
