import Reports
import ScratchEngine

/// What came of one variant of a run.
struct VariantOutcome: Sendable {
  var record: VariantRecord
  var ledger: RunLedger
  var doubts: [String]
  /// How far it had come at its end.
  var end: RunProgress
  /// Nil in the real world.
  var effort: VirtualEffort?
}
