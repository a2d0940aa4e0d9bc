import Captures
import Quantities
import Scenarios

/// One variant that is ready to be run in a virtual world of its own.
struct VirtualWork: VariantWork {
  var scenario: Scenario
  var variant: Variant
  var captures: CaptureSet
  /// As the client finds it.
  var disk: DiskImage
  /// Among the variants of its run, from 1.
  var number: Int
  var count: Int

  func run(
    isInterrupted: @escaping () -> Bool, progress: @escaping (() -> RunProgress) -> Void
  ) throws -> VariantOutcome {
    let began = ContinuousClock.now
    let run = VirtualVariantRun(
      .init(
        scenario: scenario, variant: variant, captures: captures, disk: SimulatedDisk(disk)),
      isInterrupted: isInterrupted
    ) { evidence in progress { evidence().progress(run: number, of: count) } }
    let evidence = try run.run()
    let (record, ledger) = evidence.written()
    return VariantOutcome(
      record: record, ledger: ledger, doubts: evidence.doubts,
      end: evidence.progress(run: number, of: count),
      effort: VirtualEffort(of: run.time, simulated: evidence.endedAt - .zero, since: began))
  }
}
