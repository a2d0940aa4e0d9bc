package import Quantities

/// How many bytes had come in by when, sampled: cumulative counts, at most one per interval,
/// and the newest.
///
/// When the samples reach their limit, every second one is dropped and the interval doubles, so
/// that a long body keeps its whole course.
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
      samples = samples.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      interval *= 2
    }
    samples.append(sample)
  }
}
