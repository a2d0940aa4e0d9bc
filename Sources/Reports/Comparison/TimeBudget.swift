/// How far a time of one run may be off, and the bytes that a cut lets through with it.
///
/// Two runs of one client differ by as much; a comparison calls that the same.
package struct TimeBudget: Hashable, Sendable {
  /// Dilated, a pause of the machine of some 16 ms is a link second, whatever the timers say.
  package static let dilatedSeconds = 1.0

  package var seconds: Double
  /// What crosses the link in that time.
  package var bytes: Double

  package static let none = TimeBudget(seconds: 0, bytes: 0)

  /// The timers' lateness (99 in 100) and the client's worst, but at least ``dilatedSeconds`` in
  /// dilated time.
  package init(of variant: VariantRecord, in record: RunRecord) {
    let late = (variant.instrument.lateness ?? record.time.lateness)?.p99 ?? 0
    let measured = late + (variant.instrument.clientLateness ?? 0)
    seconds =
      record.time.mode == .dilated ? max(measured, TimeBudget.dilatedSeconds) : measured
    bytes = seconds * (record.link.up.asked ?? variant.instrument.upRate ?? 0)
  }

  private init(seconds: Double, bytes: Double) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// Of several runs: the middle one, so that a single late run does not hide a difference that the
  /// others show.
  package init(typicalOf budgets: [TimeBudget]) {
    let sorted = budgets.sorted { $0.seconds < $1.seconds }
    self = sorted.isEmpty ? .none : sorted[sorted.count / 2]
  }

  /// The larger of two, for what is measured on both sides.
  package func joined(with other: TimeBudget) -> TimeBudget {
    TimeBudget(seconds: max(seconds, other.seconds), bytes: max(bytes, other.bytes))
  }
}
