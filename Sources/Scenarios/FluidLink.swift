import LinkModel
import Quantities
import Uploads

/// The link as the fluid model has it, and how one body crosses it.
struct FluidLink {
  /// Nil when everything crosses at once.
  let rate: DataRate?
  let latencyUp: Duration
  let latencyDown: Duration
  let buffer: ByteCount

  init(_ conditions: LinkConditions) {
    rate = conditions.up.rate.fastest
    latencyUp = conditions.up.latency
    latencyDown = conditions.down.latency
    buffer = conditions.buffer
  }

  var roundTrip: Duration { latencyUp + latencyDown }

  func time(for size: ByteCount) -> Duration {
    rate?.time(for: size) ?? .zero
  }

  /// From the start of a body until its last byte has been taken in, and so is counted.
  func intake(of size: ByteCount) -> Duration {
    size > buffer ? time(for: size - buffer) : .zero
  }

  /// From the start of a body until its answer has arrived.
  func answer(to size: ByteCount) -> Duration {
    time(for: size) + roundTrip
  }

  /// Bytes of a body that have arrived at the far end, `elapsed` after its start.
  ///
  /// What is under way is not there yet: rate x (elapsed - latency).
  func arrived(of size: ByteCount, after elapsed: Duration) -> ByteCount {
    flowed(of: size, for: elapsed - latencyUp)
  }

  /// Bytes of a body that have been taken in, `elapsed` after its start.
  func takenIn(of size: ByteCount, after elapsed: Duration) -> ByteCount {
    min(size, buffer + flowed(of: size, for: elapsed))
  }

  private func flowed(of size: ByteCount, for time: Duration) -> ByteCount {
    guard time >= .zero else { return .zero }
    guard let rate else { return size }
    // Compared as numbers first: the product may be beyond any count of bytes.
    let bytes = rate.bytesPerSecond * time.inSeconds
    return bytes >= Double(size.bytes) ? size : ByteCount(Int(bytes.rounded()))
  }

  /// When a body would be cut by the policy, and by which limit; nil when its answer comes first.
  func cut(of size: ByteCount, under policy: UploadPolicy)
    -> (after: Duration, how: FluidForecast.Attempt.End)?
  {
    let idle = intake(of: size) + policy.idle.quietLimit(for: size)
    let limit = min(idle, policy.ceiling)
    guard limit < answer(to: size) else { return nil }
    return (limit, idle <= policy.ceiling ? .idleLimit : .ceiling)
  }
}
