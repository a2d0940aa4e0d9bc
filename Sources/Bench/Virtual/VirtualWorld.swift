package import Captures
package import Reports
package import Scenarios

/// Runs one variant of a scenario in the virtual world, for who brings the captures and the disk.
package enum VirtualWorld {
  /// Where the client finds the captures on its disk, `captures.json` among them.
  package static let capturesFolder = VirtualVariantRun.capturesFolder

  /// What a run gave.
  package struct Outcome {
    package var record: VariantRecord
    /// Jobs of tasks that it took.
    package var jobs: Int
  }

  /// Runs to the end of the variant; the disk is kept as the client left it.
  ///
  /// Throws ``VirtualTime/Stuck`` and ``VirtualTime/Livelock``.
  package static func run(
    _ scenario: Scenario, _ variant: Variant, captures: CaptureSet, on disk: any VirtualDisk
  ) throws -> Outcome {
    let run = VirtualVariantRun(
      .init(scenario: scenario, variant: variant, captures: captures, disk: disk),
      isInterrupted: { false }, progress: { _ in })
    let evidence = try run.run()
    return Outcome(record: evidence.record(), jobs: run.time.jobsRun)
  }
}
