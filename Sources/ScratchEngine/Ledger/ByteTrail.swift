package import Quantities

/// How many bytes had come in by when, sampled: cumulative counts, at most one per interval,
/// and the newest.
///
/// When the samples reach their limit, they are thinned to the half and the interval doubles, so
/// that a long body keeps its whole course, and the beginning and the end of each long pause in it.
package struct ByteTrail: Hashable, Sendable {
  package struct Sample: Hashable, Sendable {
    package var at: Instant
    package var bytes: Int
  }

  package static let firstInterval = Duration.milliseconds(100)
  /// At the first interval, 409.6 link seconds.
  package static let samplesMax = 4_096

  package private(set) var samples: [Sample] = []
  private var interval = Self.firstInterval

  init() {}

  /// Notes that `bytes` had come in at `now`.
  mutating func note(_ bytes: Int, at now: Instant) {
    let sample = Sample(at: now, bytes: bytes)
    let last = samples.count - 1
    if last > 0, samples[last].at - samples[last - 1].at < interval {
      samples[last] = sample
      return
    }
    if samples.count == Self.samplesMax {
      samples = thinned(to: Self.samplesMax / 2)
      interval *= 2
    }
    samples.append(sample)
  }

  /// At most `count` of the samples, in order: of each of half as many equal stretches of time the
  /// first and the last.
  ///
  /// What pauses for longer than a stretch keeps the two samples around the pause.
  func thinned(to count: Int) -> [Sample] {
    guard samples.count > count, let first = samples.first, let last = samples.last else {
      return samples
    }
    let stretch = max(1, ((last.at - first.at).nanoseconds + 1) / Int64(count / 2) + 1)
    func number(_ sample: Sample) -> Int64 { (sample.at - first.at).nanoseconds / stretch }
    return samples.indices.filter { index in
      let own = number(samples[index])
      return index == 0 || index == samples.count - 1 || number(samples[index - 1]) != own
        || number(samples[index + 1]) != own
    }.map { samples[$0] }
  }
}
