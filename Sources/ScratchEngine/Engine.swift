import Captures
package import Quantities
package import ScratchHTTP

/// The engine: takes what happens on its connections and says what to answer, and when.
///
/// A shell calls it in the order of a connection's life: ``connectionOpened(at:)``, then for each
/// request ``requestHead(_:on:at:)``, ``bodyBytes(_:on:at:)``, ``requestEnded(on:at:)`` and
/// ``answerSent(on:at:)``, and ``connectionEnded(_:how:at:)``. A connection carries one request at
/// a time: the next head is given in when the answer before it is out. Nothing here waits: an answer
/// for later carries its time. What was stored stays stored when the connection ends first.
package struct Engine {
  package let script: EngineScript
  package let limits: EngineLimits
  package private(set) var ledger: Ledger
  private let digest: @Sendable () -> any BodyDigest
  private var store = EngineStore()
  /// Only looked up, never walked.
  private var open: [ConnectionID: OpenRequest] = [:]

  /// An engine without records.
  ///
  /// - Parameters:
  ///   - script: How it misbehaves.
  ///   - limits: The most that it takes.
  ///   - digest: Makes a fresh SHA-256 for each body.
  package init(
    script: EngineScript = EngineScript(), limits: EngineLimits = EngineLimits(),
    digest: @escaping @Sendable () -> any BodyDigest
  ) {
    self.script = script
    self.limits = limits
    self.digest = digest
    ledger = Ledger(limits: limits)
  }

  package mutating func connectionOpened(at now: Instant) -> ConnectionID {
    ledger.connectionOpened(at: now)
  }

  /// The connection is over; a request that was not answered ends with it.
  package mutating func connectionEnded(
    _ id: ConnectionID, how end: ConnectionEnd, at now: Instant
  ) {
    ledger.connectionEnded(id, end, at: now)
    guard let request = open.removeValue(forKey: id) else { return }
    guard ledger.requests[request.place].end == .open else { return }
    ledger.ended(request.place, end == .reset ? .reset : .closed, at: now)
  }

  /// Counts raw bytes that were read from the connection, heads and framing included.
  package mutating func wireReceived(_ count: Int, on id: ConnectionID) {
    ledger.wireReceived(count, on: id)
  }

  /// Counts raw bytes that the connection took.
  package mutating func wireSent(_ count: Int, on id: ConnectionID) {
    ledger.wireSent(count, on: id)
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
    guard case .answer(let answer) = request.fate, let limit = request.limit else {
      return head.expectsContinue ? .sendContinue : .readOn
    }
    // A client that waits for 100 is told no before it has sent anything.
    if head.expectsContinue || (head.declaredBytes ?? 0) > limit {
      return .answer(early(answer, &request, at: now + request.delay))
    }
    return .readOn
  }

  /// Some bytes of the body were read; after an early answer they are only counted.
  package mutating func bodyBytes(
    _ bytes: ArraySlice<UInt8>, on id: ConnectionID, at now: Instant
  ) -> ReadDecision {
    guard let place = open[id]?.place else { return .readOn }
    ledger.bodyReceived(bytes.count, place, at: now)
    guard open[id]?.isAnswered == false else { return .readOn }
    // In place, so that a body of many pieces is not copied for each.
    open[id]?.receive(bytes)
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
    return .answer(early(answer, &request, at: now + request.delay))
  }

  /// The request is whole; nil when it was answered before its end.
  package mutating func requestEnded(on id: ConnectionID, at now: Instant) -> EngineReply? {
    guard var request = open[id] else { return nil }
    open[id] = nil
    request.bodyHasEnded = true
    // Behind an early answer the body was not digested to its end.
    let sha256 = request.count > 0 && !request.isAnswered ? request.digest?.finish() : nil
    ledger.bodyEnded(request.place, sha256: sha256, at: now)
    if request.isAnswered {
      if ledger.requests[request.place].end == .open { open[id] = request }
      return nil
    }
    let outcome = outcome(&request, sha256: sha256 ?? "", at: now)
    ledger.decided(
      request.place, outcome.answer.status, stored: outcome.stored, replay: outcome.replay)
    request.isAnswered = true
    open[id] = request
    return EngineReply(
      answer: outcome.answer, at: outcome.at + request.delay,
      closes: request.closes || !request.head.keepsAlive)
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
    guard !request.isAnswered else { return nil }
    defer { open[id] = request }
    return early(answer, &request, at: now)
  }

  /// The last byte of the answer went to the connection.
  package mutating func answerSent(on id: ConnectionID, at now: Instant) {
    guard let request = open[id], request.isAnswered,
      ledger.requests[request.place].end == .open
    else { return }
    ledger.ended(request.place, .answered, at: now)
    // What is left of a body that was answered early still counts.
    if request.bodyHasEnded { open[id] = nil }
  }

  private mutating func early(
    _ answer: ServerAnswer, _ request: inout OpenRequest, at now: Instant
  ) -> EngineReply {
    request.isAnswered = true
    ledger.decided(request.place, answer.status)
    return EngineReply(answer: answer, at: now, closes: true)
  }

  /// Lists the request and decides what its head decides.
  private mutating func admit(
    _ head: RequestHead, on id: ConnectionID, at now: Instant
  ) -> OpenRequest {
    let path = head.target.prefix { $0 != "?" }
    let place = ledger.began(head, path: String(path), on: id, at: now)
    var request = OpenRequest(
      place: place, head: head, fate: .answer(ServerAnswer(status: 500)), limit: limits.readOver)
    do throws(Refusal) {
      let (route, match) = try find(head)
      let step = route.step(match)
      let attempt = ledger.identify(place, match, step: step)
      request.digest = digest()
      switch script.rules.first(where: { $0.when.matches(step: step, attempt: attempt) })?.then {
      case .answer(let status, let headers):
        request.fate = .answer(Self.scripted(status, headers))
        request.closes = headers.contains { line in
          [HeaderField(line.name, line.value)].members("Connection").contains("close")
        }
        request.limit = nil
        return request
      case .delay(let delay): request.delay = delay
      case nil: break
      }
      try route.admit(match, store)
      let limit = limit(of: route)
      if let declared = head.declaredBytes, declared > limit {
        throw .bodyTooLarge(limit: limit)
      }
      request.fate = .route(route, match)
      request.limit = limit
    } catch {
      request.fate = .answer(error.answer)
    }
    return request
  }

  private func find(_ head: RequestHead) throws(Refusal) -> (Route, RouteMatch) {
    let target: RequestTarget
    do {
      target = try RequestTarget(head.target)
    } catch {
      throw Refusal(error)
    }
    if let host = target.authority ?? head.fields.first("Host"), !HostGuard.accepts(host) {
      throw Refusal(
        status: 421, code: "foreign_host",
        message: "This engine answers to localhost and to addresses only; use one of them.")
    }
    return try Router.route(head.method, target)
  }

  private func limit(of route: Route) -> Int {
    switch route.body {
    case .none: limits.readOver
    case .json: limits.json
    case .media: limits.media
    }
  }

  private mutating func outcome(
    _ request: inout OpenRequest, sha256: String, at now: Instant
  ) -> Outcome {
    switch request.fate {
    case .answer(let answer):
      return Outcome(answer: answer, at: now)
    case .route(let route, let match):
      let whole = WholeRequest(
        match: match, fields: request.head.fields, body: request.body, sha256: sha256,
        limits: limits, turnTakes: script.turnTakes, now: now)
      request.body = []
      do throws(Refusal) {
        return try route.act(whole, &store)
      } catch {
        return Outcome(answer: error.answer, at: now)
      }
    }
  }

  /// A rule's answer; its own fields replace those of the same name.
  private static func scripted(_ status: Int, _ headers: [HeaderLine]) -> ServerAnswer {
    var answer = ServerAnswer(status: status)
    if status >= 400 {
      answer =
        Refusal(
          status: status, code: "scripted",
          message: "The script answers this attempt with \(status)."
        ).answer
    }
    answer.fields.removeAll { field in headers.contains { field.isNamed($0.name) } }
    answer.fields += headers.map { HeaderField($0.name, $0.value) }
    return answer
  }
}

extension RequestPattern {
  /// Whether the rule is for a request; only requests that have a route are asked about.
  func matches(step: UploadStep?, attempt: Int?) -> Bool {
    (self.step == nil || self.step == step) && (self.attempt == nil || self.attempt == attempt)
  }
}
