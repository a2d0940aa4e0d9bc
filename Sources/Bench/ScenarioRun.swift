import LinkModel
import Quantities
package import Reports
package import Scenarios
package import ScratchEngine

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

  /// The same at another pace.
  package func paced(_ mode: TimeMode) -> ScenarioRun {
    ScenarioRun(
      scenario, variants: variants, mode: mode, captures: stock, executable: executable, tool: tool)
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

  /// Takes the variants from the threads on which they run: this run has to be the next of them.
  ///
  /// After an interruption, or when the bench breaks in a later variant, the record holds what was
  /// measured until then. Throws when nothing could be measured, and when real processes cannot do
  /// what the scenario asks for.
  package func run(
    interruption: Interruption, from variantRuns: VariantRuns, tell: (RunNews) -> Void
  ) throws -> Outcome {
    var outcomes: [VariantOutcome] = []
    var failure: (any Error)?
    for index in variants.indices {
      do {
        let next = try variantRuns.next(interruption: interruption) { tell(.running($0)) }
        guard let outcome = next else { break }
        tell(.over(outcome.end))
        outcomes.append(outcome)
      } catch {
        variantRuns.skip(variants.count - index - 1)
        guard !outcomes.isEmpty else { throw error }
        failure = error
        break
      }
    }
    let record = RunRecord(
      of: scenario, variants: variants.map(\.name), outcomes.map(\.record), in: mode,
      probe: outcomes.first?.probe,
      doubts: outcomes.flatMap(\.doubts),
      interrupted: interruption.hasCome || failure != nil, tool: tool)
    let efforts = outcomes.compactMap(\.effort)
    let effort = efforts.first.map { first in
      efforts.dropFirst().reduce(into: first) { $0.add($1) }
    }
    return Outcome(
      record: record, ledgers: outcomes.map(\.ledger), failure: failure, effort: effort)
  }

  /// Says that its captures will be wanted soon.
  func expectCaptures() {
    stock.expect(scenario, isVirtual: mode.isVirtual)
  }

  /// Makes a variant ready to be run on this thread.
  func work(of index: Int, interruption: Interruption) throws -> any VariantWork {
    if let refusal = scenario.refusal(of: variants, in: mode) { throw refusal }
    let (variant, number) = (variants[index], index + 1)
    if mode.isVirtual {
      let captures = try stock.disk(of: scenario)
      return VirtualWork(
        scenario: scenario, variant: variant, captures: captures.set, disk: captures.disk,
        number: number, count: variants.count)
    }
    return RealWork(
      scenario: scenario, variant: variant, captures: try stock.captures(of: scenario),
      executable: executable, mode: mode, number: number, count: variants.count,
      interruption: interruption)
  }
}
