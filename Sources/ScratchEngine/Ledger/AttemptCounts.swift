/// Counts the attempts at each file, in bounded memory.
///
/// When more than so many files were counted, those that were not sent since as many others were
/// are forgotten, and begin at 1 again.
struct AttemptCounts: Hashable, Sendable {
  private let limit: Int
  // Only looked up, never walked.
  private var counts: [Ledger.Aim: Int] = [:]
  private var former: [Ledger.Aim: Int] = [:]

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of this attempt, from 1.
  mutating func next(_ aim: Ledger.Aim) -> Int {
    let attempt = (counts[aim] ?? former[aim] ?? 0) + 1
    if counts.count >= limit { (former, counts) = (counts, [:]) }
    counts[aim] = attempt
    return attempt
  }
}
