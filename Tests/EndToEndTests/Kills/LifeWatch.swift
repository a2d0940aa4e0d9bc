import Synchronization
import TestSupport
import Uploads

/// Where a life of the client ends.
enum KillAim: Sendable, Hashable {
  /// Seconds after it was told to go.
  case time(Double)
  /// The n-th time that it comes there, counted from 1.
  case point(KillPoint, occurrence: Int, TracedProcess.Moment)
}

/// Stands between one life and the kernel: names the calls, looks at the outbox once it was
/// recovered, and says where the life ends.
final class LifeWatch: Sendable {
  private struct State {
    var namer: KillPointNamer
    var counts: [KillPoint: Int] = [:]
    var isRecovered = false
    var seen: [KillPoint] = []
    var heads: [SentStep] = []
    var violations: [Violation] = []
    var killedAt: KillPoint?
  }

  private let outbox: OutboxLook
  private let aim: KillAim?
  private let mistake: DeliberateMistake?
  private let life: Int
  private let state: Mutex<State>

  /// `life` counts the starts of the client, from 0.
  init(
    _ outbox: OutboxLook, reports: String, aim: KillAim?, mistake: DeliberateMistake?, life: Int
  ) {
    self.outbox = outbox
    self.aim = aim
    self.mistake = mistake
    self.life = life
    state = Mutex(State(namer: KillPointNamer(outbox, reports: reports)))
  }

  /// The points in their order.
  var seen: [KillPoint] { state.withLock { $0.seen } }
  var violations: [Violation] { state.withLock { $0.violations } }
  /// The requests that it began to send, in their order.
  var heads: [SentStep] { state.withLock { $0.heads } }
  /// Where it was killed; nil when its aim was another, or was not reached.
  var killedAt: KillPoint? { state.withLock { $0.killedAt } }

  func judge(_ call: TracedCall) -> TracedProcess.Verdict {
    state.withLock { state in
      guard state.killedAt == nil, let point = state.namer.name(call) else { return .go }
      look(&state, call, point)
      state.seen.append(point)
      let count = state.counts[point, default: 0] + 1
      state.counts[point] = count
      let isPretended = mistake?.isMade(at: point, in: outbox, life: life) ?? false
      if case .point(point, count, let moment) = aim {
        state.killedAt = point
        return isPretended ? .kill(.before) : .kill(moment)
      }
      return isPretended ? .pretend : .go
    }
  }

  private func look(_ state: inout State, _ call: TracedCall, _ point: KillPoint) {
    switch call.kind {
    case .receive: break
    case .send: if let head = SentStep(call.start) { state.heads.append(head) }
    default:
      // The thread that writes stands still here, and has nothing half done.
      guard !state.isRecovered, !["open", "recovery"].contains(point.part) else { break }
      state.isRecovered = true
      if life > 0 { state.violations += outbox.violations }
    }
  }
}
