import Captures
package import Quantities
package import ScratchHTTP

/// The engine: takes what happens on its connections and says what to answer, and when.
///
/// A shell calls it in the order of a connection's life: ``connectionOpened(at:)``, then for each
/// request ``requestHead(_:on:at:)``, ``bodyBytes(_:on:at:)``, ``requestEnded(on:at:)``,
/// ``answerBegan(on:)`` and ``answerSent(on:at:)``, and ``connectionEnded(_:how:at:)``. A connection carries one request at
/// a time: the next head is given in when the answer before it is out. Nothing here waits: an answer
/// for later carries its time, and of one that goes on ``nextPiece(on:at:)`` says what comes next. What was stored stays stored when the connection ends first.
package struct Engine {
  package let script: EngineScript
  package let limits: EngineLimits
  package private(set) var ledger: Ledger
  /// Nil when it makes no digests.
  private let digest: DigestMaker?
  private var desk: StoreDesk
  /// Only looked up, never walked.
  private var open: [ConnectionID: OpenRequest] = [:]
  private var rules: RuleTally
  private var streams = EventStreams()
  private var news: [ConnectionID] = []
  /// What it serves; before any connection, others may be put in their place.
  var routes = Route.all

  /// An engine without records.
  ///
  /// - Parameters:
  ///   - script: How it misbehaves.
  ///   - limits: The most that it takes.
  ///   - clock: Dates what neither a camera nor a client has dated.
  ///   - photos: Reads photos; without it none is read, and the client's word stands.
  ///   - random: What the script leaves to chance is drawn from it.
  ///   - digest: Makes a fresh SHA-256 for each body; nil for receipts without one.
  package init(
    script: EngineScript = EngineScript(), limits: EngineLimits = EngineLimits(),
    clock: WallClock = WallClock(), photos: (any PhotoReader)? = nil,
    random: SeededRandom = SeededRandom(seed: 0), digest: DigestMaker?
  ) {
    self.script = script
    self.limits = limits
    self.digest = digest
    desk = StoreDesk(script: script, limits: limits, clock: clock, photos: photos)
    ledger = Ledger(limits: limits)
    rules = RuleTally(script.rules, random: random.fork("script"))
  }

  /// Keeps what is stored in another place, too.
  package var keeper: (any StoreKeeper)? {
    get { desk.keeper }
    set { desk.keeper = newValue }
  }

  /// Does again what an engine has kept, before any connection, and by the clock of then; its turns
  /// are over.
  ///
  /// False when nothing comes of it.
  package mutating func restore(_ kept: KeptRequest) -> Bool {
    desk.restore(kept)
  }

  /// What is over in the ledger was written down elsewhere, and is forgotten here.
  package mutating func forgetOver() {
    ledger.forgetOver()
  }

  package mutating func connectionOpened(at now: Instant) -> ConnectionID {
    ledger.connectionOpened(at: now)
  }

  /// The script's part before anything of a connection is read; nil when it has none.
  package mutating func opening(of id: ConnectionID, at now: Instant) -> ReadDecision? {
    guard let (rule, deed) = rules.match(connection: id, openedAt: now) else { return nil }
    ledger.ruled(id, by: rule)
    switch deed.action {
    case .delay(let time), .stall(let time): return .pause(until: now + time)
    case .close(let way): return .close(way)
    // No file has these here (``ScriptedDeed/mismatch``).
    case .answer, .dribble, .holdContinue: return nil
    }
  }

  /// The connection is over; a request that was not answered ends with it.
  package mutating func connectionEnded(
    _ id: ConnectionID, how end: ConnectionEnd, at now: Instant
  ) {
    defer { ledger.connectionEnded(id, end, at: now) }
    streams.close(id)
    guard let request = open.removeValue(forKey: id) else { return }
    if ledger.requests[request.place].end == .open {
      ledger.ended(request.place, end == .reset ? .reset : .closed, by: .client, at: now)
    }
    ledger.finish(request.place)
  }

  /// Counts raw bytes that came on the connection, heads and framing included.
  package mutating func wireReceived(_ count: Int, on id: ConnectionID) {
    ledger.wireReceived(count, on: id)
  }

  /// Bytes had come, and nobody reads them any more: as far as they were of a body whose length is
  /// known, they came in for it.
  package mutating func leftUnread(_ count: Int, on id: ConnectionID, at now: Instant) {
    guard count > 0, let request = open[id], !request.bodyHasEnded,
      let declared = request.head.declaredBytes
    else { return }
    let rest = declared - ledger.requests[request.place].bodyBytes
    ledger.bodyLeft(min(count, rest), request.place, at: now)
  }

  /// Counts raw bytes that the connection took.
  package mutating func wireSent(_ count: Int, on id: ConnectionID) {
    ledger.wireSent(count, on: id)
    if let request = open[id] { ledger.wireSent(count, for: request.place) }
  }

  /// A request's head was read.
  package mutating func requestHead(
    _ head: RequestHead, on id: ConnectionID, at now: Instant
  ) -> ReadDecision {
    guard !ledger.isFull else {
      open[id] = nil
      return .answer(EngineReply(answer: Refusal.ledgerFull.answer, at: now, closes: true))
    }
    var request = admit(head, on: id, at: now)
    defer { open[id] = request }
    return scripted(at: .head, &request, now) ?? afterHead(&request, at: now)
  }

  /// Bytes of the body that may be given in before the script acts within it.
  package func bodyRoom(on id: ConnectionID) -> Int {
    open[id]?.bytesToDeed ?? .max
  }

  /// When the script acts on a body that is still coming, of which nothing has come since then, and
  /// it is told ``bodyIsLate(on:at:)``; nil when no time says so.
  package func bodyDeadline(on id: ConnectionID, quietSince: Instant) -> Instant? {
    guard let request = open[id] else { return nil }
    switch request.deed?.at {
    case .bodyTime(let time): return ledger.requests[request.place].startedAt + time
    case .silence(let time): return quietSince + time
    default: return nil
    }
  }

  /// The time of ``bodyDeadline(on:quietSince:)`` has come.
  package mutating func bodyIsLate(on id: ConnectionID, at now: Instant) -> ReadDecision {
    guard var request = open[id], let phase = request.deed?.at else { return .readOn }
    defer { open[id] = request }
    return scripted(at: phase, &request, now) ?? .readOn
  }

  /// Nothing of the body comes any more, as its reply ``EngineReply/leavesBody``.
  package mutating func bodyIsLeft(on id: ConnectionID) {
    open[id]?.bodyHasEnded = true
  }

  /// A client that waited for `100 Continue` was sent it.
  package mutating func continued(on id: ConnectionID, at now: Instant) {
    guard let request = open[id] else { return }
    ledger.continued(request.place, at: now)
  }

  /// The connection was kept, and brought no request in time.
  package mutating func connectionTimedOut(_ id: ConnectionID) {
    ledger.timedOut(id)
  }

  /// Some bytes of the body were read, no more than ``bodyRoom(on:)``; of a request that is settled
  /// they are only counted.
  package mutating func bodyBytes(
    _ bytes: ArraySlice<UInt8>, on id: ConnectionID, at now: Instant
  ) -> ReadDecision {
    guard let place = open[id]?.place else { return .readOn }
    ledger.bodyReceived(bytes.count, place, at: now)
    guard open[id]?.isSettled == false else { return .readOn }
    // In place, so that a body of many pieces is not copied for each.
    open[id]?.receive(bytes)
    let count = open[id]?.count ?? 0
    if open[id]?.deed?.at == .body(count), var request = open[id] {
      defer { open[id] = request }
      if let decision = scripted(at: .body(count), &request, now) { return decision }
    }
    guard open[id]?.isOverLimit == true, var request = open[id], let limit = request.limit else {
      return .readOn
    }
    let answer: ServerAnswer =
      if case .answer(let refused) = request.fate {
        refused
      } else {
        Refusal.bodyTooLarge(limit: limit).answer
      }
    request.body = []
    defer { open[id] = request }
    return .answer(early(answer, &request, at: now))
  }

  /// The request is whole; nil when it was settled before its end.
  package mutating func requestEnded(on id: ConnectionID, at now: Instant) -> ReadDecision? {
    guard var request = open[id] else { return nil }
    open[id] = nil
    request.finish()
    ledger.bodyEnded(
      request.place, sha256: request.sha256, parts: request.files?.digests ?? [], at: now)
    if request.isSettled {
      if ledger.requests[request.place].end == .open {
        open[id] = request
      } else {
        ledger.finish(request.place)
      }
      return nil
    }
    defer { open[id] = request }
    return scripted(at: .whole, &request, now) ?? commit(&request, at: now)
  }

  /// The pause that it asked for is over.
  package mutating func resumed(on id: ConnectionID, at now: Instant) -> ReadDecision {
    guard var request = open[id], !request.isSettled else { return .readOn }
    defer { open[id] = request }
    if request.bodyHasEnded { return commit(&request, at: now) }
    return request.count == 0 ? afterHead(&request, at: now) : .readOn
  }

  /// The connection's bytes are no request, or stopped coming: what to answer before closing.
  package mutating func requestFaulted(
    _ fault: RequestFault, on id: ConnectionID, at now: Instant
  ) -> EngineReply? {
    ledger.faulted(fault.description, on: id)
    let answer = Refusal(fault).answer
    guard var request = open[id] else {
      return EngineReply(answer: answer, at: now, closes: true)
    }
    guard !request.isSettled else { return nil }
    defer { open[id] = request }
    return early(answer, &request, at: now)
  }

  /// What came is not what the connection's transport carries: it ends without an answer.
  package mutating func connectionFaulted(_ fault: String, on id: ConnectionID) {
    ledger.faulted(fault, on: id)
  }

  /// The first byte of the answer goes to the connection.
  package mutating func answerBegan(on id: ConnectionID) {
    guard let request = open[id] else { return }
    ledger.answerBegan(request.place)
  }

  /// The last byte of the answer went to the connection.
  package mutating func answerSent(on id: ConnectionID, at now: Instant) {
    guard let request = open[id], request.isSettled,
      ledger.requests[request.place].end == .open
    else { return }
    ledger.ended(request.place, .answered, by: .engine, at: now)
    // What is left of a body that was answered early still counts.
    guard request.bodyHasEnded else { return }
    open[id] = nil
    ledger.finish(request.place)
  }

  /// What comes next of the answer, which goes on.
  package mutating func nextPiece(on id: ConnectionID, at now: Instant) -> NextPiece {
    streams.next(on: id, of: desk.store, heartbeat: script.heartbeat, at: now, limits: limits)
  }

  /// Connections whose answer goes on and that may have more now; a shell asks for them, and tells
  /// them, whenever it has called for any connection.
  package mutating func takeNews() -> [ConnectionID] {
    defer { news = [] }
    return news
  }

  /// The script ends the connection now, in that way.
  ///
  /// A request whose answer is not out ends with it, except that silence leaves the end to the
  /// client.
  package mutating func scriptCloses(_ way: ScriptedClose, on id: ConnectionID, at now: Instant) {
    guard way != .silence, let request = open[id],
      ledger.requests[request.place].end == .open
    else { return }
    ledger.ended(request.place, way == .reset ? .reset : .closed, by: .script, at: now)
  }

  private mutating func afterHead(_ request: inout OpenRequest, at now: Instant) -> ReadDecision {
    guard case .answer(let answer) = request.fate, let limit = request.limit else {
      // Not twice, when the script has kept it from reading meanwhile.
      let isWaiting =
        request.head.expectsContinue && ledger.requests[request.place].continuedAt == nil
      return isWaiting ? .sendContinue : .readOn
    }
    // A client that waits for 100 is told no before it has sent anything.
    if request.head.expectsContinue || (request.head.declaredBytes ?? 0) > limit {
      return .answer(early(answer, &request, at: now))
    }
    return .readOn
  }

  private mutating func early(
    _ answer: ServerAnswer, _ request: inout OpenRequest, at now: Instant
  ) -> EngineReply {
    request.isSettled = true
    ledger.decided(request.place, answer.status)
    return EngineReply(answer: answer, at: now, closes: true)
  }

  /// Does what the whole request asks, and answers, unless the script has it otherwise.
  private mutating func commit(_ request: inout OpenRequest, at now: Instant) -> ReadDecision {
    let outcome = desk.act(&request, openStreams: streams.count, at: now)
    request.isSettled = true
    ledger.did(request.place, stored: outcome.stored, replay: outcome.replay)
    ledger.decided(request.place, outcome.answer.status)
    if outcome.stored, let moment = ledger.requests[request.place].moment {
      news += streams.connections(of: moment)
    }
    var reply = EngineReply(
      answer: outcome.answer, at: outcome.at, closes: !request.head.keepsAlive)
    switch request.takeDeed(at: .stored) {
    case .delay(let time): reply.at = reply.at + time
    case .dribble(let pieces): reply.dribble = .init(from: 0, pieces: pieces)
    case let action?: return perform(action, &request, at: now)
    case nil: request.script(&reply)
    }
    if let last = outcome.streamAfter { begin(&reply, to: request, after: last, at: now) }
    return .answer(reply)
  }

  /// Lets an answer go on with the events of its moment, unless only its head was asked for.
  private mutating func begin(
    _ reply: inout EngineReply, to request: OpenRequest, after last: Int, at now: Instant
  ) {
    guard request.head.method != "HEAD" else { return }
    let recorded = ledger.requests[request.place]
    guard let moment = recorded.moment.flatMap(desk.store.moment) else { return }
    streams.open(recorded.connection, of: moment, after: last, at: now, limits: limits)
    if request.head.version == .http10 { reply.closes = true }
  }

  /// The script's part at a phase before the commit; nil when it has none.
  private mutating func scripted(
    at phase: ScriptPhase, _ request: inout OpenRequest, _ now: Instant
  ) -> ReadDecision? {
    request.takeDeed(at: phase).map { perform($0, &request, at: now) }
  }

  private mutating func perform(
    _ action: ScriptAction, _ request: inout OpenRequest, at now: Instant
  ) -> ReadDecision {
    switch action {
    case .answer(let scripted):
      request.isSettled = true
      ledger.decided(request.place, scripted.status)
      return .answer(scripted.reply(to: request, at: now))
    case .delay(let time), .stall(let time):
      return .pause(until: now + time)
    case .close(let way):
      request.isSettled = true
      return .close(way)
    // No file has it before the answer (``ScriptedDeed/mismatch``).
    case .dribble: return .readOn
    case .holdContinue(let time):
      let next = afterHead(&request, at: now)
      return next == .sendContinue ? .holdContinue(until: time.map { now + $0 }) : next
    }
  }

  /// Lists the request and decides what its head decides.
  private mutating func admit(
    _ head: RequestHead, on id: ConnectionID, at now: Instant
  ) -> OpenRequest {
    let path = head.target.prefix { $0 != "?" }
    let place = ledger.began(head, path: String(path), on: id, at: now)
    let found = Router.find(head, in: routes)
    if case .success(let (route, match)) = found {
      ledger.identify(place, match, step: route.step(match), upload: route.upload(match))
    }
    var request = OpenRequest(
      place: place, head: head, fate: .answer(ServerAnswer(status: 500)), deed: deed(for: place),
      makeDigest: digest, limit: limits.readOver)
    if request.deed?.isAnswerToWhole == true {
      // It is read to its end, however long it is.
      request.limit = nil
      return request
    }
    do throws(Refusal) {
      let (route, match) = try found.get()
      try route.admit(match, desk.store)
      let limit = limits.body(of: route)
      if let limit, let declared = head.declaredBytes, declared > limit {
        throw .bodyTooLarge(limit: limit)
      }
      if route.body == .files {
        request.files = IncomingFiles(
          head.fields.first("Content-Type"), keptMax: limits.fileKept,
          declared: head.declaredBytes, digest: digest)
      }
      request.fate = .route(route, match)
      request.limit = limit
    } catch {
      request.fate = .answer(error.answer)
    }
    return request
  }

  private mutating func deed(for place: Ledger.Place) -> ScriptedDeed? {
    guard let (rule, deed) = rules.match(ledger.requests[place]) else { return nil }
    ledger.ruled(place, by: rule)
    return deed
  }
}
