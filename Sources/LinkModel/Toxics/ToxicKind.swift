import Quantities

/// What a toxic does, with its settings.
package enum ToxicKind: Hashable, Sendable {
  case latency(LatencyToxic)
  case bandwidth(BandwidthToxic)
  case slowClose(SlowCloseToxic)
  case timeout(TimeoutToxic)
  case resetPeer(ResetPeerToxic)
  case slicer(SlicerToxic)
  case limitData(LimitDataToxic)
  case noop

  /// A stage that does it to one connection from `now` on.
  func stage(random: SeededRandom, at now: Instant) -> any ToxicStage {
    switch self {
    case .latency(let toxic): LatencyStage(toxic, random: random)
    case .bandwidth(let toxic): BandwidthStage(toxic)
    case .slowClose(let toxic): SlowCloseStage(toxic)
    case .timeout(let toxic): TimeoutStage(toxic, at: now)
    case .resetPeer(let toxic): ResetPeerStage(toxic)
    case .slicer(let toxic): SlicerStage(toxic, random: random)
    case .limitData(let toxic): LimitDataStage(toxic)
    case .noop: NoopStage()
    }
  }
}
