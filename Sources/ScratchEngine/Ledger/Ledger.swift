import Captures
import Quantities
import ScratchHTTP

/// A place in one of the two lists of a ledger; once that is forgotten, of another one.
package enum LedgerEntry: Hashable, Sendable {
  case request(Int)
  case connection(Int)
}

/// Everything that the engine saw, in order: the referee of exactly-once.
package struct Ledger: Hashable, Sendable {
  /// A place in ``requests``.
  typealias Place = Int

  /// What attempts are counted by.
  struct Aim: Hashable, Sendable {
    var moment: String?
    var step: UploadStep?
    var upload: String?

    /// Nil when the request is neither a step of a moment nor an upload.
    init?(_ request: LedgerRequest) {
      guard request.step != nil || request.upload != nil else { return nil }
      moment = request.moment
      step = request.step
      upload = request.upload?.name
    }
  }

  /// In order of opening, unless some were forgotten.
  package private(set) var connections: [LedgerConnection] = []
  /// In order of their heads, unless some were forgotten.
  package private(set) var requests: [LedgerRequest] = []
  /// Places of the requests that stored something, in order of storing.
  private(set) var storing: [Place] = []
  /// Bytes over all connections, as ``wireReceived(_:on:)`` was told them.
  package private(set) var received = 0
  package private(set) var sent = 0
  /// What can change no more, in the order in which that came about.
  package private(set) var over: [LedgerEntry] = []
  /// Connections that came when the ledger was full; they are not in ``connections``.
  package private(set) var unlistedConnections = 0

  /// The connection that a request came on; nil when it was not listed, or is forgotten.
  package func connection(of request: LedgerRequest) -> LedgerConnection? {
    request.connection.place.map { connections[$0] }
      .flatMap { $0.number == request.connection.number ? $0 : nil }
  }

  private let limits: EngineLimits
  private var attempts: AttemptCounts
  private var opened = 0
  /// Places of what was forgotten, to be used again.
  private var freeConnections: [Int] = []
  private var freeRequests: [Place] = []

  init(limits: EngineLimits) {
    self.limits = limits
    attempts = AttemptCounts(limit: limits.requests)
  }

  var isFull: Bool { requestsKept >= limits.requests }

  /// Requests that were not forgotten.
  package var requestsKept: Int { requests.count - freeRequests.count }

  /// Forgets everything that can change no more, except for the sums and the counts of attempts; the
  /// places are used again.
  ///
  /// For a ledger that is written down as it grows: the order of ``requests``, and what is derived
  /// from all of them, mean nothing afterwards.
  mutating func forgetOver() {
    for entry in over {
      switch entry {
      case .request(let place):
        requests[place].trail = ByteTrail()
        freeRequests.append(place)
      case .connection(let place): freeConnections.append(place)
      }
    }
    // What is stored and not over is listed again by nobody.
    storing = []
    over = []
  }

  mutating func connectionOpened(at now: Instant) -> ConnectionID {
    let connection = LedgerConnection(number: opened, openedAt: now)
    opened += 1
    if let place = freeConnections.popLast() {
      connections[place] = connection
      return ConnectionID(number: connection.number, place: place)
    }
    guard connections.count < limits.connections else {
      unlistedConnections += 1
      return ConnectionID(number: connection.number, place: nil)
    }
    connections.append(connection)
    return ConnectionID(number: connection.number, place: connections.count - 1)
  }

  mutating func connectionEnded(_ id: ConnectionID, _ end: ConnectionEnd, at now: Instant) {
    guard let place = id.place else { return }
    connections[place].end = end
    connections[place].endedAt = now
    over.append(.connection(place))
  }

  mutating func wireReceived(_ count: Int, on id: ConnectionID) {
    received += count
    guard let place = id.place else { return }
    connections[place].received += count
  }

  mutating func wireSent(_ count: Int, on id: ConnectionID) {
    sent += count
    guard let place = id.place else { return }
    connections[place].sent += count
  }

  /// Bytes that the connection took while the request was open.
  mutating func wireSent(_ count: Int, for place: Place) {
    requests[place].sent += count
  }

  mutating func faulted(_ fault: String, on id: ConnectionID) {
    guard let place = id.place else { return }
    connections[place].fault = fault
  }

  mutating func timedOut(_ id: ConnectionID) {
    guard let place = id.place else { return }
    connections[place].timedOut = true
  }

  mutating func began(
    _ head: RequestHead, path: String, on id: ConnectionID, at now: Instant
  ) -> Place {
    let request = LedgerRequest(
      connection: id, method: head.method, path: path, startedAt: now,
      expectsContinue: head.expectsContinue, declaredBytes: head.declaredBytes)
    if let place = freeRequests.popLast() {
      requests[place] = request
      return place
    }
    requests.append(request)
    return requests.count - 1
  }

  /// Says what a request is about, and counts its attempt.
  mutating func identify(
    _ place: Place, _ match: RouteMatch, step: UploadStep?, upload: Upload?
  ) {
    requests[place].moment = match.moment.isEmpty ? nil : match.moment
    requests[place].media = match.media.isEmpty ? nil : match.media
    requests[place].step = step
    requests[place].upload = upload
    guard let aim = Aim(requests[place]) else { return }
    requests[place].attempt = attempts.next(aim)
  }

  mutating func continued(_ place: Place, at now: Instant) {
    requests[place].continuedAt = now
  }

  mutating func bodyReceived(_ count: Int, _ place: Place, at now: Instant) {
    requests[place].bodyBytes += count
    requests[place].trail.note(requests[place].bodyBytes, at: now)
    requests[place].reach(.body)
  }

  /// Bytes of the body came in, and nobody will read them.
  mutating func bodyLeft(_ count: Int, _ place: Place, at now: Instant) {
    requests[place].bodyBytes += count
    requests[place].trail.note(requests[place].bodyBytes, at: now)
  }

  mutating func bodyEnded(
    _ place: Place, sha256: String?, parts: [String] = [], at now: Instant
  ) {
    requests[place].bodyEndedAt = now
    requests[place].sha256 = sha256
    requests[place].parts = parts
    requests[place].reach(.whole)
  }

  /// The request was done, and what came of it.
  mutating func did(_ place: Place, stored: Bool, replay: Bool) {
    requests[place].stored = stored
    requests[place].replay = replay
    if stored { storing.append(place) }
  }

  /// Without a status, on what is no answer.
  mutating func decided(_ place: Place, _ status: Int?) {
    requests[place].decidedStatus = status
    requests[place].reach(.decided)
  }

  mutating func ruled(_ place: Place, by rule: Int) {
    requests[place].rule = rule
  }

  mutating func ruled(_ id: ConnectionID, by rule: Int) {
    guard let place = id.place else { return }
    connections[place].rule = rule
  }

  mutating func answerBegan(_ place: Place) {
    requests[place].reach(.answer)
  }

  mutating func ended(
    _ place: Place, _ end: LedgerRequest.End, by party: LedgerRequest.Party, at now: Instant
  ) {
    requests[place].end = end
    requests[place].endedBy = party
    requests[place].endedAt = now
  }

  /// It has ended, and nothing more comes of its body.
  mutating func finish(_ place: Place) {
    over.append(.request(place))
  }
}
