import Captures
import EventLoop
import LinkModel
import Quantities
package import Reports
package import Scenarios
import ThrottlingProxy
import Uploads

/// A scenario in the real world or in the virtual one: each variant runs on its own, one after the
/// other, under identical conditions and with the same captures.
package struct ScenarioRun {
  package let scenario: Scenario
  package let variants: [Variant]
  package let mode: TimeMode
  private let asked: TimeMode
  private let executable: String
  private let stock: CaptureStock
  private let tool: RunRecord.Tool

  /// `stock` is where its captures come from; `executable` is this program, which is the built-in client too.
  ///
  /// The scale of time is lowered where the rates are too high for it.
  package init(
    _ scenario: Scenario, variants: [Variant], mode: TimeMode, captures stock: CaptureStock,
    executable: String, tool: RunRecord.Tool
  ) {
    self.stock = stock
    self.scenario = scenario
    self.variants = variants
    self.executable = executable
    self.tool = tool
    asked = mode
    let rates = [scenario.link.up.rate, scenario.link.down.rate].compactMap(\.fastest)
    self.mode = rates.reduce(mode) { $0.lowered(for: $1) }
  }

  /// What a reader should know of how this run is made, a sentence each.
  package var remarks: [String] {
    var remarks: [String] = []
    if mode != asked {
      remarks.append(
        "time runs at \(mode.text) instead of \(asked.text), so that no rate exceeds"
          + " \(TimeMode.realRateMax)")
    }
    if mode.isVirtual {
      remarks.append("link, engine and disk are simulated around the client's own code")
    }
    if mode.isDilated {
      remarks.append(
        "the client's folder is in memory, since a disk's syncs do not run faster with time;"
          + " durability is tested at 1x")
    }
    return remarks
  }

  /// Runs the variants in order.
  ///
  /// After an interruption, or when the bench breaks in a later variant, the record holds what was
  /// measured until then; `failure` says how it broke. Throws when nothing could be measured.
  package func run(
    interruption: Interruption, progress: @escaping (RunProgress) -> Void
  ) throws -> (record: RunRecord, failure: (any Error)?) {
    var records: [VariantRecord] = []
    var doubts: [String] = []
    var failure: (any Error)?
    for (index, variant) in variants.enumerated() where !interruption.hasCome {
      let tell = { (evidence: VariantEvidence, isOver: Bool) in
        progress(evidence.progress(run: index + 1, of: variants.count, isOver: isOver))
      }
      do {
        let evidence =
          mode.isVirtual
          ? try runVirtually(variant, interruption, tell)
          : try runReally(variant, interruption, tell, &doubts)
        tell(evidence, true)
        records.append(evidence.record())
        doubts += evidence.doubts
      } catch {
        guard !records.isEmpty else { throw error }
        failure = error
        break
      }
    }
    let isPartial = interruption.hasCome || failure != nil
    return (record(of: records, doubts: doubts, interrupted: isPartial), failure)
  }

  private func runReally(
    _ variant: Variant, _ interruption: Interruption,
    _ progress: @escaping (VariantEvidence, Bool) -> Void, _ doubts: inout [String]
  ) throws -> VariantEvidence {
    let captures = try stock.captures(of: scenario)
    // Emptied behind each variant: memory may be scarce.
    let work = try WorkFolder(inMemory: mode.isDilated)
    if mode.isDilated, !work.isInMemory {
      doubts.append(
        "\(variant.name): the client's folder is on a disk, whose syncs do not run faster with"
          + " time: there is no memory file system here. Use --time 1x.")
    }
    let setup = VariantRun.Setup(
      scenario: scenario, variant: variant, captures: captures.set, capturesFolder: captures.folder,
      outboxFolder: try work.makeFolder("client"), executable: executable, factor: mode.factor)
    let run = try VariantRun(setup, interruption: interruption) {
      progress($0.evidence(isFinal: false), $0.phase == .ending)
    }
    try run.run()
    return run.evidence(isFinal: true)
  }

  private func runVirtually(
    _ variant: Variant, _ interruption: Interruption,
    _ progress: @escaping (VariantEvidence, Bool) -> Void
  ) throws -> VariantEvidence {
    let captures = try stock.files(of: scenario)
    let disk = SimulatedDisk()
    for file in captures.files {
      try disk.put("\(VirtualVariantRun.capturesFolder)/\(file.name)", file.bytes)
    }
    let run = VirtualVariantRun(
      VirtualVariantRun.Setup(
        scenario: scenario, variant: variant, captures: captures.set, disk: disk),
      isInterrupted: { interruption.hasCome }, progress: { progress($0, false) })
    return try run.run()
  }

  private func record(
    of variants: [VariantRecord], doubts: [String], interrupted: Bool
  ) -> RunRecord {
    let instruments = variants.map(\.instrument)
    let link = RunRecord.Link(
      upAsked: scenario.link.up.steadyRate?.bytesPerSecond,
      downAsked: scenario.link.down.steadyRate?.bytesPerSecond,
      upCourse: scenario.link.up.changes ? scenario.link.up.words : nil,
      downCourse: scenario.link.down.changes ? scenario.link.down.words : nil,
      bufferDeclared: scenario.link.buffer.bytes, measuredBy: instruments)
    let late = instruments.compactMap(\.lateness)
    let time = RunRecord.Time(
      mode: mode.isVirtual ? .virtual : mode.isDilated ? .dilated : .real, factor: mode.factor,
      lateness: late.map(\.p50).max().flatMap { p50 in
        late.map(\.p99).max().map { RunRecord.Lateness(p50: p50, p99: $0) }
      })
    let names = self.variants.map(\.name)
    var record = RunRecord(
      tool: tool,
      scenario: .init(name: scenario.name, file: scenario.file, sha256: scenario.sha256),
      seed: scenario.seed, time: time, link: link, verdict: .interrupted, variants: variants)
    record.judge(
      by: scenario.expectations.filter { names.contains($0.variant) }, interrupted: interrupted,
      doubts: doubts)
    return record
  }
}
