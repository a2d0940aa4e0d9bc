import EventLoop
package import LinkModel
import Quantities
package import Reports
package import ThrottlingProxy

/// A probe of a scenario's link, in the words of reports.
enum LinkProbing {
  /// Nil when the link changes over time or carries nothing: a moment of it says little.
  static func probe(
    _ link: LinkConditions, factor: Double, interruption: Interruption
  ) throws(SystemFailure) -> RunRecord.Probe? {
    guard let steady = link.steady else { return nil }
    let loop = try EventLoop(scale: .starting(factor: factor))
    try interruption.watch(on: loop) { [unowned loop] in loop.stop() }
    let found = try LinkProbe.measure(steady, on: loop)
    return RunRecord.Probe(asked: steady.asked, measured: LinkProbeCheck.Values(found))
  }
}

extension LinkConditions {
  /// What a probe has to find.
  package var asked: LinkProbeCheck.Values {
    let rate = up.steadyRate
    return LinkProbeCheck.Values(
      rate: rate?.bytesPerSecond, latencyUp: up.steadyLatency, latencyDown: down.steadyLatency,
      buffer: rate == nil ? nil : Double(buffer.bytes))
  }

  /// The link without what chance does to it; nil when it changes over time, or carries nothing.
  fileprivate var steady: LinkConditions? {
    guard !up.changes, !down.changes, up.rate != .offline, down.rate != .offline else { return nil }
    return LinkConditions(
      up: DirectionConditions(rate: up.rate, latency: up.latency),
      down: DirectionConditions(rate: down.rate, latency: down.latency), buffer: buffer)
  }
}

extension DirectionConditions {
  /// In seconds; nil when a byte also waits for its chance, or for a moment at which some may leave.
  fileprivate var steadyLatency: Double? { hasChance || changes ? nil : latency.inSeconds }
}

extension LinkProbeCheck.Values {
  package init(_ found: LinkProbe.Reading) {
    self.init(
      rate: found.rate, latencyUp: found.latencyUp?.inSeconds,
      latencyDown: found.latencyDown?.inSeconds, buffer: found.buffer)
  }
}
