import Quantities
import Reports
import ThrottlingProxy

/// Bytes over time, and the buffer as both of its ends show it.
///
/// The buffer is what the client's sockets had taken, less what the engine had received, less what
/// was in the link itself; it is read while a sender is kept waiting and no other connection has
/// bytes on the way (as one that a killed client left behind), and averaged per attempt.
struct LinkSampler {
  /// From one sample to the next.
  static let interval = Duration.milliseconds(100)
  /// An attempt with fewer samples than this hardly filled the buffer.
  private static let samplesMin = 5

  private(set) var timeline: [TimelinePoint] = []
  private var held = 0.0
  private var samples = 0
  private var attempt = 0
  private(set) var buffers: [Double] = []

  /// `attempts` counts the requests for files so far; `claimed` is what the newest line says.
  mutating func add(
    _ reading: LinkProxy.Reading, engineReceived: Int, attempts: Int, claimed: Int?, at now: Instant
  ) {
    timeline.append(
      TimelinePoint(
        at: now.seconds, handedOver: reading.handedOver, carried: reading.up.carried,
        claimed: claimed))
    if attempts != attempt {
      endAttempt()
      attempt = attempts
    }
    guard reading.isFull, reading.holding == 1 else { return }
    held += Double(reading.held(received: engineReceived) - reading.propagating)
    samples += 1
  }

  mutating func endAttempt() {
    if samples >= Self.samplesMin { buffers.append(held / Double(samples)) }
    held = 0
    samples = 0
  }
}
