import LinkModel
import Quantities
import Reports
import Scenarios

extension RunRecord {
  /// Of what the variants did, judged by what the scenario expects of those that were to run.
  ///
  /// `records` has those that did run, each under the conditions of the scenario as it declares them.
  init(
    of scenario: Scenario, variants names: [String], _ records: [VariantRecord], in mode: TimeMode,
    probe: Probe? = nil, doubts: [String], interrupted: Bool, tool: Tool
  ) {
    let instruments = records.map(\.instrument)
    var link = RunRecord.Link(
      upAsked: scenario.link.up.steadyRate?.bytesPerSecond,
      downAsked: scenario.link.down.steadyRate?.bytesPerSecond,
      upCourse: scenario.link.up.changes ? scenario.link.up.words : nil,
      downCourse: scenario.link.down.changes ? scenario.link.down.words : nil,
      bufferDeclared: scenario.link.buffer.bytes, measuredBy: instruments)
    // What the sockets of a command hold is theirs; where there is nothing else, it is told.
    let own = records.filter { $0.process == nil }
    if !own.isEmpty {
      link.buffer = .init(
        declared: scenario.link.buffer.bytes, measured: own.flatMap(\.instrument.buffers))
    }
    link.up.rates = scenario.link.up.ratePoints(until: scenario.horizon)
    link.down.rates = scenario.link.down.ratePoints(until: scenario.horizon)
    link.probe = probe
    let late = instruments.compactMap(\.lateness)
    let time = RunRecord.Time(
      mode: mode.isVirtual ? .virtual : mode.isDilated ? .dilated : .real, factor: mode.factor,
      lateness: late.map(\.p50).max().flatMap { p50 in
        late.map(\.p99).max().map { RunRecord.Lateness(p50: p50, p99: $0) }
      })
    self.init(
      tool: tool,
      scenario: .init(name: scenario.name, file: scenario.file, sha256: scenario.sha256),
      seed: scenario.seed, time: time, link: link, verdict: .interrupted, variants: records)
    judge(
      by: scenario.expectations.filter { names.contains($0.variant) }, interrupted: interrupted,
      doubts: doubts)
  }
}

extension DirectionConditions {
  /// What was asked for, as a record keeps it.
  fileprivate func ratePoints(until horizon: Duration) -> [RunRecord.RatePoint] {
    course(until: .zero + horizon).map { step in
      .init(
        at: step.at.seconds, rate: step.rate == .offline ? 0 : step.rate.limit?.bytesPerSecond)
    }
  }
}
