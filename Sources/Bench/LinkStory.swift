import LinkModel
import Quantities
import Scenarios
import Uploads

/// The state of the modelled link over a run, as a client is told it: what a device knows of its own
/// network, without asking anybody.
struct LinkStory {
  /// In order; the first is that at link time 0, which holds before it too.
  let changes: [(at: Instant, state: LinkState)]

  init(_ scenario: Scenario) {
    let dead = scenario.link.deadTimes(until: .zero + scenario.horizon)
    let start: [(Instant, LinkState)] = dead.first?.lowerBound == .zero ? [] : [(.zero, .up)]
    changes = start + dead.flatMap { [($0.lowerBound, .down), ($0.upperBound, .up)] }
  }

  func state(at instant: Instant) -> LinkState {
    changes.last { $0.at <= instant }?.state ?? changes[0].state
  }
}
