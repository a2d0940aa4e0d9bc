/// Tells apart the zero-window probes that an engine explains which is kept from reading.
struct ProbeTally {
  private var seen = 0
  private var wasExplained = false
  private(set) var explained = 0

  /// Takes the number of all so far; what is new is explained when the engine was kept from reading
  /// now or when this was called before.
  mutating func note(_ count: Int, isExplained: Bool) {
    if isExplained || wasExplained { explained += max(0, count - seen) }
    seen = count
    wasExplained = isExplained
  }
}
