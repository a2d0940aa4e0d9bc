import Quantities
import ScratchHTTP

/// Does whole requests on what is stored, and keeps what they store in another place, too.
struct StoreDesk {
  private(set) var store = EngineStore()
  var keeper: (any StoreKeeper)?
  private let script: EngineScript
  private let limits: EngineLimits
  private let clock: WallClock
  private let photos: (any PhotoReader)?

  init(
    script: EngineScript, limits: EngineLimits, clock: WallClock, photos: (any PhotoReader)?
  ) {
    self.script = script
    self.limits = limits
    self.clock = clock
    self.photos = photos
  }

  /// What comes of a request; what it stores is kept elsewhere as well, or it stores nothing.
  mutating func act(
    _ request: inout OpenRequest, openStreams: Int, at now: Instant
  ) -> Outcome {
    guard let keeper, case .route(let route, _) = request.fate, route.body != .none else {
      return outcome(&request, openStreams: openStreams, at: now)
    }
    let storedAt = clock.milliseconds(at: now)
    let whole = KeptRequest(
      method: request.head.method, target: request.head.target,
      type: request.head.fields.first("Content-Type"), body: request.body,
      bytes: request.body.count, sha256: request.sha256 ?? "", storedAt: storedAt)
    let before = store
    let outcome = outcome(&request, openStreams: openStreams, at: now)
    guard outcome.stored else { return outcome }
    let kept =
      route.body == .files ? outcome.files.map { FileRoutes.kept($0, at: storedAt) } : [whole]
    do throws(StoreKeeperFailure) {
      for request in kept { try keeper.keep(request) }
      return outcome
    } catch {
      store = before
      return Outcome(answer: Refusal.notKept(error.cause).answer, at: now)
    }
  }

  /// Does again what was kept, by the clock of then; false when nothing comes of it.
  mutating func restore(_ kept: KeptRequest) -> Bool {
    if FileRoutes.restore(kept, &store) { return true }
    guard let body = kept.body else { return false }
    let head = RequestHead(
      method: kept.method, target: kept.target,
      fields: kept.type.map { [HeaderField("Content-Type", $0)] } ?? [])
    guard case .success(let (route, match)) = Router.find(head) else { return false }
    let whole = WholeRequest(
      match: match, fields: head.fields, body: body, sha256: kept.sha256, limits: limits,
      script: EngineScript(), openStreams: 0, clock: WallClock(epoch: kept.storedAt),
      photos: photos, now: .zero)
    return (try? route.act(whole, &store))?.stored == true
  }

  private mutating func outcome(
    _ request: inout OpenRequest, openStreams: Int, at now: Instant
  ) -> Outcome {
    switch request.fate {
    case .answer(let answer):
      return Outcome(answer: answer, at: now)
    case .route(let route, let match):
      let whole = WholeRequest(
        match: match, fields: request.head.fields, body: request.body, files: request.files,
        sha256: request.sha256, limits: limits, script: script,
        openStreams: openStreams, clock: clock, photos: photos, now: now)
      request.body = []
      request.files = nil
      do throws(Refusal) {
        return try route.act(whole, &store)
      } catch {
        return Outcome(answer: error.answer, at: now)
      }
    }
  }
}
