import Reports
import ScratchEngine

/// What came of one variant of a run.
struct VariantOutcome: Sendable {
  var record: VariantRecord
  var ledger: RunLedger
  var doubts: [String]
  /// What was measured of the link before the first variant; nil in other ones.
  var probe: RunRecord.Probe?
  /// How far it had come at its end.
  var end: RunProgress
  /// Nil in the real world.
  var effort: VirtualEffort?
}
