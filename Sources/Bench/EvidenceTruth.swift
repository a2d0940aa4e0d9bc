import Captures
import LinkModel
import Quantities
import Reports
import Scenarios
import ScratchEngine
import Uploads

extension VariantEvidence {
  /// A process takes so long, in seconds of the machine, to be woken and to say what it knows; more
  /// than a screen needs.
  private static let processSeconds = 0.05

  /// How far, in link time, a line may follow what it is about: a second, or what a process takes.
  static func grace(factor: Double) -> Duration {
    max(.seconds(1), .seconds(exactly: processSeconds * factor))
  }

  /// What link and engine knew, as its lines are judged by it.
  func truth(_ account: ForeignAccount?) -> RunTruth {
    var truth = RunTruth()
    truth.files = captures.captures.flatMap { capture in
      sent(of: capture).map { step, file in
        .init(capture: capture.name, step: step, bytes: file.bytes, sha256: file.sha256)
      }
    }
    truth.requests = zip(ledger.requests.indices, begun).map { request($0, begunAt: $1, account) }
    truth.attempts = watch.diary.attempts
    truth.carried = ByteCourse(
      watch.sampler.timeline.map { .init(at: Instant(seconds: $0.at), bytes: $0.carried) })
    truth.moving = watch.movement.any.until(endedAt)
    truth.answering = watch.movement.down.until(endedAt)
    truth.down = scenario.link.deadTimes(until: .zero + scenario.horizon)
    truth.latencyUp = scenario.link.up.latency
    truth.latencyDown = max(.zero, scenario.link.down.latency - scenario.link.down.jitter)
    truth.deaths =
      processes.map { $0.lives.compactMap(\.to) }
      ?? scenario.acts.filter { [.kill, .powerLoss].contains($0.deed) }.map(\.at)
    truth.endedAt = endedAt
    truth.stampLag = .seconds(exactly: Self.processSeconds * factor)
    truth.grace = Self.grace(factor: factor)
    // More of it is a doubt in the run itself.
    truth.clientLateness = min(
      watch.diary.lateness ?? .zero, .seconds(exactly: InstrumentCheck.clientLatenessMax))
    return truth
  }

  private func request(
    _ place: Int, begunAt: Instant?, _ account: ForeignAccount?
  ) -> RunTruth.Request {
    let request = ledger.requests[place]
    let ended = request.endedAt.flatMap { $0 <= endedAt ? $0 : nil }
    return RunTruth.Request(
      capture: capture(of: place, account), step: step(of: place, account),
      isHealthCheck: request.isHealthCheck,
      startedAt: request.startedAt, begunAt: begunAt, endedAt: ended,
      status: ended.flatMap { _ in request.status },
      storedSHA256: request.stored || request.replay ? request.sha256 : nil,
      trail: ByteCourse(request.trail.samples.map { .init(at: $0.at, bytes: $0.bytes) }))
  }
}

extension VariantEvidence {
  /// When each request could begin: behind the one before it on its connection, or when that was
  /// opened.
  private var begun: [Instant?] {
    // Only looked up.
    var free: [ConnectionID: Instant] = [:]
    return ledger.requests.map { request in
      defer { free[request.connection] = request.endedAt ?? request.startedAt }
      return free[request.connection] ?? ledger.connection(of: request)?.openedAt
    }
  }
}

extension LedgerRequest {
  fileprivate var isHealthCheck: Bool { HealthChecks.isOne(method: method, path: path) }
}
