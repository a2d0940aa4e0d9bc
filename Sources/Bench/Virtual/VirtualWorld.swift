package import Captures
package import Quantities
package import Reports
package import Scenarios
package import Uploads

/// Puts a line and its claim in the place of what a client would show at a time: how a client is made
/// to lie, so that the judge of its lines can be tried.
package typealias LineTelling = (String, LineClaim, Instant) -> (text: String, claim: LineClaim)

/// Runs one variant of a scenario in the virtual world, for who brings the captures and the disk.
package enum VirtualWorld {
  /// Where the client finds the captures on its disk, `captures.json` among them.
  package static let capturesFolder = VirtualVariantRun.capturesFolder

  /// What a run gave.
  package struct Outcome {
    package var record: VariantRecord
    /// Files that were attempted more often than the client says, a sentence each.
    package var hiddenAttempts: [String]
    /// Jobs of tasks that it took.
    package var jobs: Int
  }

  /// Runs to the end of the variant; the disk is kept as the client left it.
  ///
  /// Throws ``VirtualTime/Stuck`` and ``VirtualTime/Livelock``.
  package static func run(
    _ scenario: Scenario, _ variant: Variant, captures: CaptureSet, on disk: any VirtualDisk,
    telling: LineTelling? = nil
  ) throws -> Outcome {
    var setup = VirtualVariantRun.Setup(
      scenario: scenario, variant: variant, captures: captures, disk: disk)
    if let telling { setup.telling = telling }
    let run = VirtualVariantRun(
      setup, isInterrupted: { false }, progress: { _ in })
    let evidence = try run.run()
    return Outcome(
      record: evidence.record(), hiddenAttempts: evidence.hiddenAttempts, jobs: run.time.jobsRun)
  }
}
