import Captures
import Quantities
import Uploads

/// What a client reported in a run, over all its processes, with the link time of each report.
struct ClientDiary {
  /// One file of one capture, or another step of it.
  struct StepKey: Hashable {
    var capture: String
    var step: UploadStep
  }

  /// The ids under which the engine knows each capture: one, unless each try mints its own.
  private(set) var moments: [String: [String]] = [:]
  private(set) var states: [String: EntryState] = [:]
  /// Why captures were not saved, in order.
  private(set) var notSaved: [(capture: String, reason: String)] = []
  /// When the client had the receipt of each step.
  private(set) var landedAt: [StepKey: Instant] = [:]
  private(set) var savedAt: [String: Instant] = [:]
  private(set) var settledAt: [String: Instant] = [:]
  /// The worst lateness of a timer that the client has reported.
  private(set) var lateness: Duration?

  /// The outcome that the client reports for a step whose receipt it has.
  static let landed = "landed"

  mutating func add(_ report: BenchReport, at now: Instant) {
    switch report {
    case .saved(let capture, let moment, _):
      know(capture, as: moment)
      savedAt[capture] = now
    case .renamed(let capture, let moment): know(capture, as: moment)
    case .recovered(let capture, let moment, let done):
      know(capture, as: moment)
      if savedAt[capture] == nil { savedAt[capture] = now }
      // A client that was killed had no time to tell: the receipt came no later than this.
      for step in done { land(capture, step, at: now) }
    case .notSaved(let capture, let reason):
      notSaved.append((capture, reason))
      settledAt[capture] = now
    case .ended(let capture, let step, _, _, Self.landed):
      land(capture, step, at: now)
    case .state(let capture, let state):
      states[capture] = state
      settle(capture, in: state, at: now)
    case .late(let late): lateness = max(lateness ?? .zero, late)
    case .ready, .began, .ended, .passed, .obeyed: break
    }
  }

  /// What the user sends again is settled no more.
  private mutating func settle(_ capture: String, in state: EntryState, at now: Instant) {
    switch state {
    case .done, .parked, .held, .discarded:
      if settledAt[capture] == nil { settledAt[capture] = now }
    case .kept, .waiting, .sending: settledAt[capture] = nil
    }
  }

  /// The capture that the engine knows by this id; nil when no client has told.
  func capture(ofMoment id: String) -> String? {
    moments.first { $0.value.contains(id) }?.key
  }

  private mutating func know(_ capture: String, as moment: String) {
    if moments[capture]?.contains(moment) != true { moments[capture, default: []].append(moment) }
  }

  /// Nothing more will happen to the capture by itself.
  func isSettled(_ capture: String) -> Bool { settledAt[capture] != nil }

  var parked: Int { states.count { $0.value == .parked } }
  var held: Int { states.count { $0.value == .held } }
  var discarded: Int { states.count { $0.value == .discarded } }

  private mutating func land(_ capture: String, _ step: UploadStep, at now: Instant) {
    let key = StepKey(capture: capture, step: step)
    if landedAt[key] == nil { landedAt[key] = now }
  }

  /// Captures that were saved and are neither done nor discarded, nor among the moments that the
  /// outbox still has.
  func lost(kept moments: Set<String>) -> Int {
    savedAt.keys.count { capture in
      states[capture] != .done && states[capture] != .discarded
        && moments.isDisjoint(with: self.moments[capture] ?? [])
    }
  }
}
