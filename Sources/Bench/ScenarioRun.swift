import Captures
import EventLoop
import LinkModel
import Quantities
package import Reports
package import Scenarios
package import ScratchEngine
import ThrottlingProxy
import Uploads

/// A scenario in the real world or in the virtual one: each variant runs on its own, under identical
/// conditions and with the same captures.
package struct ScenarioRun: Sendable {
  /// What a run gave.
  package struct Outcome {
    package var record: RunRecord
    /// What the engine saw, of each variant in order.
    package var ledgers: [RunLedger]
    /// How the bench broke in a later variant; nil when it did not.
    package var failure: (any Error)?
    /// Nil in the real world.
    package var effort: VirtualEffort?
  }

  package let scenario: Scenario
  package let variants: [Variant]
  package let mode: TimeMode
  /// Before it was lowered.
  package let asked: TimeMode
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

  /// Runs the variants in order, or takes them from the threads on which they run: this run has to
  /// be the next of them.
  ///
  /// After an interruption, or when the bench breaks in a later variant, the record holds what was
  /// measured until then. Throws when nothing could be measured, and when real processes cannot do
  /// what the scenario asks for.
  package func run(
    interruption: Interruption, virtual: VirtualRuns,
    progress: @escaping (RunProgress) -> Void
  ) throws -> Outcome {
    if let refusal = scenario.refusal(of: variants, in: mode) { throw refusal }
    let probe =
      mode.isVirtual
      ? nil
      : try LinkProbing.probe(scenario.link, factor: mode.factor, interruption: interruption)
    var outcomes: [VariantOutcome] = []
    var failure: (any Error)?
    for index in variants.indices where !interruption.hasCome {
      do {
        let outcome =
          mode.isVirtual
          ? try virtual.next(interruption: interruption, progress: progress)
          : try runReally(index, interruption, progress)
        progress(outcome.end)
        outcomes.append(outcome)
      } catch {
        if mode.isVirtual { virtual.skip(variants.count - index - 1) }
        guard !outcomes.isEmpty else { throw error }
        failure = error
        break
      }
    }
    let record = RunRecord(
      of: scenario, variants: variants.map(\.name), outcomes.map(\.record), in: mode, probe: probe,
      doubts: outcomes.flatMap(\.doubts),
      interrupted: interruption.hasCome || failure != nil, tool: tool)
    let efforts = outcomes.compactMap(\.effort)
    let effort = efforts.first.map { first in
      efforts.dropFirst().reduce(into: first) { $0.add($1) }
    }
    return Outcome(
      record: record, ledgers: outcomes.map(\.ledger), failure: failure, effort: effort)
  }

  private func runReally(
    _ index: Int, _ interruption: Interruption, _ progress: @escaping (RunProgress) -> Void
  ) throws -> VariantOutcome {
    let variant = variants[index]
    let captures = try stock.captures(of: scenario)
    // Emptied behind each variant: memory may be scarce.
    let work = try WorkFolder(inMemory: mode.isDilated)
    var doubts: [String] = []
    if mode.isDilated, !work.isInMemory {
      doubts.append(
        "\(variant.name): the client's folder is on a disk, whose syncs do not run faster with"
          + " time: there is no memory file system here. Use --time 1x.")
    }
    let setup = VariantRun.Setup(
      scenario: scenario, variant: variant, captures: captures.set, capturesFolder: captures.folder,
      clientFolder: try work.makeFolder("client"), executable: executable, factor: mode.factor)
    let run = try VariantRun(setup, interruption: interruption) {
      progress(
        $0.evidence(isFinal: false).progress(
          run: index + 1, of: variants.count, isOver: $0.phase == .ending))
    }
    try run.run()
    let evidence = run.evidence(isFinal: true)
    return VariantOutcome(
      record: evidence.record(), ledger: evidence.runLedger, doubts: doubts + evidence.doubts,
      end: evidence.progress(run: index + 1, of: variants.count, isOver: true), effort: nil)
  }

  /// Makes a variant ready to be run on any one thread.
  func virtualWork(of index: Int) throws -> VirtualWork {
    let captures = try stock.disk(of: scenario)
    return VirtualWork(
      scenario: scenario, variant: variants[index], captures: captures.set, disk: captures.disk,
      number: index + 1, count: variants.count)
  }
}
