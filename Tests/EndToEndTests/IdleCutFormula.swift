/// How often an idle limit cuts a healthy upload, and how many bytes that wastes.
///
/// The path takes `buffer` bytes in at once, so the last byte of a copy is counted at
/// (size - buffer) / rate. The idle limit fires that much later, and the pause after a pass follows:
///
///     active = (size - buffer) / rate + idle      bytes of one attempt = rate x (active - latency)
///     cycle = active + pause                      attempts = those that start before the horizon
///
/// The first starts after the round trip of the record. With the shipped figures: active 71 s,
/// 1.418 MB, cycle 131 s, 7 attempts in 900 s. All times are in seconds, sizes in bytes.
struct IdleCutFormula {
  static let latency = 0.1

  var size = 1_650_000.0
  var rate = 20_000.0
  var buffer = 1_430_000.0
  var idle = 60.0
  var pause = 60.0

  var active: Double { (size - buffer) / rate + idle }
  var cycle: Double { active + pause }

  /// False when the answer comes before the limit fires, and the formula says nothing.
  var cuts: Bool { active < size / rate + 2 * Self.latency }

  private func starts(before horizon: Double) -> [Double] {
    Array(stride(from: 2 * Self.latency, to: horizon, by: cycle))
  }

  func attempts(before horizon: Double) -> Int { starts(before: horizon).count }

  func bytes(before horizon: Double) -> Double {
    starts(before: horizon).reduce(0) {
      $0 + rate * max(0, min(active, horizon - $1) - Self.latency)
    }
  }
}
