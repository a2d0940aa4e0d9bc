import Captures
import Quantities
import Reports
import Uploads

/// What a client reported in a run, over all its processes, with the link time of each report.
struct ClientDiary {
  /// One file of one capture, or another step of it.
  struct StepKey: Hashable {
    var capture: String
    var step: StepName
  }

  /// The ids under which the engine knows each capture: one, unless each try mints its own.
  private(set) var moments: [String: [String]] = [:]
  /// The ids under which it knows each file, in the same way.
  private(set) var media: [StepKey: [String]] = [:]
  /// Captures that the client holds that runs now: a web card forgets them with its end.
  private var inMemory: Set<String> = []
  private(set) var states: [String: EntryState] = [:]
  /// Why captures were not saved, in order.
  private(set) var notSaved: [(capture: String, reason: String)] = []
  /// When the client had the receipt of each step.
  private(set) var landedAt: [StepKey: Instant] = [:]
  /// Attempts at each step that the client says to have begun.
  private(set) var begun: [StepKey: Int] = [:]
  private(set) var savedAt: [String: Instant] = [:]
  private(set) var settledAt: [String: Instant] = [:]
  /// Requests as the client saw them, in the order in which they began.
  private(set) var attempts: [RunTruth.Attempt] = []
  /// Bytes; nil when the system gave what was asked for.
  private(set) var sendBufferGranted: Int?
  /// The worst lateness of a timer that the client has reported.
  private(set) var lateness: Duration?

  /// The outcome that the client reports for a step whose receipt it has.
  static let landed = "landed"

  mutating func add(_ report: BenchReport, at now: Instant) {
    switch report {
    case .saved(let capture, let moment, let media):
      know(capture, as: moment, media)
      savedAt[capture] = now
    case .renamed(let capture, let moment, let media): know(capture, as: moment, media)
    case .recovered(let capture, let moment, let media, let done):
      know(capture, as: moment, media)
      if savedAt[capture] == nil { savedAt[capture] = now }
      // A client that was killed had no time to tell: the receipt came no later than this.
      for step in done { land(capture, step, at: now) }
    case .notSaved(let capture, let reason):
      notSaved.append((capture, reason))
      settledAt[capture] = now
    case .began(let capture, let step, _):
      attempts.append(.init(capture: capture, step: step, began: now))
      begun[StepKey(capture: capture, step: step), default: 0] += 1
    case .ended(let capture, let step, _, _, let outcome):
      if let place = attempts.lastIndex(where: { $0.capture == capture && $0.step == step }) {
        attempts[place].ended = now
      }
      if outcome == Self.landed { land(capture, step, at: now) }
    case .state(let capture, let state):
      states[capture] = state
      settle(capture, in: state, at: now)
    case .late(let late): lateness = max(lateness ?? .zero, late)
    case .sendBuffer(let granted): sendBufferGranted = granted
    case .ready, .passed, .shown, .obeyed: break
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

  /// A process that is gone has no request in flight.
  mutating func clientStarted(at now: Instant) {
    for place in attempts.indices where attempts[place].ended == nil { attempts[place].ended = now }
  }

  /// The client's process has ended.
  mutating func clientEnded() {
    inMemory = []
  }

  /// The moments of the captures that the client holds in memory.
  var momentsInMemory: [String] { inMemory.flatMap { moments[$0] ?? [] } }

  /// The capture that the engine knows by this id, of its moment or of a file; nil when no client
  /// has told.
  func capture(named id: String) -> String? {
    moments.first { $0.value.contains(id) }?.key
      ?? media.first { $0.value.contains(id) }?.key.capture
  }

  /// Whether what the engine saw, of a step under a moment or an upload's own id, is that step.
  ///
  /// A photo of a plate is of no moment, and is known by its own ids.
  func knows(
    _ seen: UploadStep?, _ moment: String?, _ upload: String?, as key: StepKey
  ) -> Bool {
    if key.step.photo != nil { return upload.map((media[key] ?? []).contains) == true }
    return seen == key.step.step && moment.map((moments[key.capture] ?? []).contains) == true
  }

  private mutating func know(
    _ capture: String, as moment: String, _ media: [String: StepName]
  ) {
    inMemory.insert(capture)
    if moments[capture]?.contains(moment) != true { moments[capture, default: []].append(moment) }
    for (id, step) in media {
      let key = StepKey(capture: capture, step: step)
      if self.media[key]?.contains(id) != true { self.media[key, default: []].append(id) }
    }
  }

  /// Which photo of a plate the engine knows by this id; nil for any other id.
  func staged(named id: String) -> StepName? {
    media.first { $0.key.step.photo != nil && $0.value.contains(id) }?.key.step
  }

  /// Nothing more will happen to the capture by itself.
  func isSettled(_ capture: String) -> Bool { settledAt[capture] != nil }

  var parked: Int { states.count { $0.value == .parked } }
  var held: Int { states.count { $0.value == .held } }
  var discarded: Int { states.count { $0.value == .discarded } }

  private mutating func land(_ capture: String, _ step: StepName, at now: Instant) {
    let key = StepKey(capture: capture, step: step)
    if landedAt[key] == nil { landedAt[key] = now }
  }

  /// Captures that were saved and are neither discarded, nor among the moments that the client still
  /// has, nor, whole, with the engine: that the client says so does not make them done.
  func lost(kept moments: Set<String>, whole: Set<String> = []) -> Int {
    savedAt.keys.count { capture in
      states[capture] != .discarded && !whole.contains(capture)
        && moments.isDisjoint(with: self.moments[capture] ?? [])
    }
  }
}
