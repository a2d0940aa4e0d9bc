import Captures
import Reports
import Scenarios

/// One variant that is ready to be run with real sockets, processes and files.
struct RealWork: VariantWork {
  var scenario: Scenario
  var variant: Variant
  var captures: CaptureStock.OnDisk
  /// This program, which is the built-in client too.
  var executable: String
  var mode: TimeMode
  /// Among the variants of its run, from 1.
  var number: Int
  var count: Int
  /// Its event loops look at it themselves.
  var interruption: Interruption

  func run(
    isInterrupted: @escaping () -> Bool, progress: @escaping (() -> RunProgress) -> Void
  ) throws -> VariantOutcome {
    // The link is the same for all variants, and is measured before the first.
    let probe =
      number == 1
      ? try LinkProbing.probe(scenario.link, factor: mode.factor, interruption: interruption) : nil
    // Emptied behind each variant: memory may be scarce.
    let work = try WorkFolder(inMemory: mode.isDilated)
    var doubts: [String] = []
    if mode.isDilated, !work.isInMemory {
      doubts.append(
        "\(variant.name): the client's folder is on a disk, whose syncs do not run faster with"
          + " time: there is no memory file system here. Use --time 1x.")
    }
    let setup = VariantRun.Setup(
      scenario: scenario, variant: variant, captures: captures.set,
      capturesFolder: captures.path, clientFolder: try work.makeFolder(WorkFolder.clientName),
      executable: executable, factor: mode.factor)
    let run = try VariantRun(setup, interruption: interruption) { run in
      progress { run.evidence(isFinal: false).progress(run: number, of: count) }
    }
    try run.run()
    let evidence = run.evidence(isFinal: true)
    let (record, ledger) = evidence.written()
    return VariantOutcome(
      record: record, ledger: ledger, doubts: doubts + evidence.doubts,
      probe: probe, end: evidence.progress(run: number, of: count))
  }
}
