package import Quantities

/// The rate at which a body moves, or nothing when there is no basis for one.
///
/// A path takes in the first bytes of a body at once, then none for a moment, since its own buffers
/// are over-full, and lets the rest follow at the link's pace. So neither the burst nor the average
/// since the start says how fast the link is. A rate is shown only for a stretch of 5 to 10 s that
/// ends with the newest byte, begins with a movement that came at the stretch's own pace (so the
/// burst and the pause behind it lie before it), whose two halves moved alike (within a factor
/// of 1.25), and that is eight times its largest movement: a system takes bytes in steps, some 16 KB
/// of a slow body, so that the count at either end may be a step off. A slow body needs more than
/// 10 s for that, and has up to 30.
package struct RateWindow: Hashable, Sendable {
  package static let basis = Duration.seconds(5)
  package static let longest = Duration.seconds(10)
  /// Of a stretch that would hold too few steps if it were shorter.
  package static let longestSlow = Duration.seconds(30)
  /// Without a byte for this long there is no rate.
  package static let quiet = Duration.seconds(3)
  private static let evenness = 1.25
  /// A movement so many times faster than what follows it was taken in, not carried.
  private static let burst = 3.0
  /// Counts this near to each other are one sample: the newest of them, since a buffer is filled
  /// in several writes and only the last one finds it full.
  private static let spacing = Duration.milliseconds(250)
  /// A rate is known to the share of one step, the largest, in its stretch.
  private static let stepsMin = 8

  private struct Count: Hashable, Sendable {
    var at: Instant
    var bytes: Int

    /// Bytes per second.
    func pace(to later: Count) -> Double {
      Double(later.bytes - bytes) / (later.at - at).inSeconds
    }
  }

  private struct Sample: Hashable, Sendable {
    /// The time of the first count in it.
    let opened: Instant
    var newest: Count
    /// The sample before it; nil for the first bytes of a body.
    let before: Count?

    var step: Int { newest.bytes - (before?.bytes ?? 0) }
  }

  /// At most ``longestSlow`` / `spacing` of them, oldest first; the counts are totals.
  private var samples: [Sample] = []

  package init() {}

  /// A total of `bytes` had been counted at `now`.
  package mutating func note(bytes: Int, at now: Instant) {
    let count = Count(at: now, bytes: bytes)
    if let last = samples.last, now - last.opened < Self.spacing {
      samples[samples.count - 1].newest = count
      return
    }
    samples.append(Sample(opened: now, newest: count, before: samples.last?.newest))
    let kept = samples.firstIndex { now - $0.newest.at <= Self.longestSlow } ?? 0
    samples.removeFirst(kept)
  }

  package func rate(at now: Instant) -> RateStretch? {
    guard let last = samples.last?.newest, now - last.at <= Self.quiet else { return nil }
    // The longest even stretch has the broadest basis, and of slow ones the shortest is the newest.
    for start in samples.indices {
      let first = samples[start].newest
      if last.at - first.at < Self.basis { return nil }
      let pace = first.pace(to: last)
      guard hasSteps(samples[start...]),
        last.at - first.at <= Self.longest || !hasSteps(samples[start...].dropFirst()),
        let before = samples[start].before, before.pace(to: first) <= pace * Self.burst,
        isEven(samples[start...])
      else { continue }
      return RateStretch(from: first.at, to: last.at, bytesPerSecond: pace)
    }
    return nil
  }

  private func hasSteps(_ stretch: ArraySlice<Sample>) -> Bool {
    guard let first = stretch.first?.newest, let last = stretch.last?.newest,
      let largest = stretch.dropFirst().map(\.step).max()
    else { return false }
    return last.bytes - first.bytes >= largest * Self.stepsMin
  }

  private func isEven(_ stretch: ArraySlice<Sample>) -> Bool {
    guard let first = stretch.first?.newest, let last = stretch.last?.newest else { return false }
    let middle = first.at + (last.at - first.at) / 2
    guard let turn = stretch.first(where: { $0.newest.at >= middle })?.newest,
      turn.at > first.at, turn.at < last.at
    else { return false }
    let (older, newer) = (first.pace(to: turn), turn.pace(to: last))
    return min(older, newer) * Self.evenness >= max(older, newer)
  }
}
