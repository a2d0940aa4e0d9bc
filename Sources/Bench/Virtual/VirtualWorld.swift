package import Captures
import Quantities
package import Reports
package import Scenarios

/// Runs one variant of a scenario in the virtual world, for who brings the captures and the disk.
package enum VirtualWorld {
  /// Where the client finds the captures on its disk, `captures.json` among them.
  package static let capturesFolder = VirtualVariantRun.capturesFolder

  /// What a run gave.
  package struct Outcome {
    package var record: VariantRecord
    /// Files that were attempted more often than the client says, a sentence each.
    package var hiddenAttempts: [String]
    /// What was left out of the measurement, a sentence each, those among them.
    package var doubts: [String]
    /// Jobs of tasks that it took.
    package var jobs: Int
  }

  /// Runs to the end of the variant; the disk is kept as the client left it.
  ///
  /// Throws ``VirtualTime/Stuck`` and ``VirtualTime/Livelock``.
  package static func run(
    _ scenario: Scenario, _ variant: Variant, captures: CaptureSet, on disk: any VirtualDisk,
    parts: VirtualParts = VirtualParts()
  ) throws -> Outcome {
    let run = VirtualVariantRun(
      .init(scenario: scenario, variant: variant, captures: captures, disk: disk, parts: parts),
      isInterrupted: { false }, progress: { _ in })
    let evidence = try run.run()
    return Outcome(
      record: evidence.record(), hiddenAttempts: evidence.hiddenAttempts, doubts: evidence.doubts,
      jobs: run.time.jobsRun)
  }

  /// A whole result of such runs, judged as that of any other.
  package static func record(
    of scenario: Scenario, _ outcomes: [Outcome], tool: RunRecord.Tool
  ) -> RunRecord {
    RunRecord(
      of: scenario, variants: outcomes.map(\.record.name), outcomes.map(\.record), in: .virtual,
      doubts: outcomes.flatMap(\.doubts), interrupted: false, tool: tool)
  }
}
