import Captures
import Quantities
import ScratchHTTP

/// One row of the table of routes: which requests, and what is done with them.
///
/// A new route is a new file with its rows, and its name in ``Route/all``.
struct Route: Sendable {
  enum PathPart: Hashable, Sendable {
    case literal(String)
    /// A moment's ULID.
    case moment
    /// A media id.
    case media
  }

  /// What is kept of a body while it comes in; more than a limit is answered 413.
  enum BodyUse: Hashable, Sendable {
    /// Nothing: it is read over.
    case none
    case json
    case media
  }

  /// Whether its body is there, whole, once the request is.
  var bodyIsWhole: Bool { body == .json || body == .media }

  var method: String
  var path: [PathPart]
  var body = BodyUse.none
  /// The step of an upload that a request is; nil when it is none.
  var step: @Sendable (RouteMatch) -> UploadStep? = { _ in nil }
  /// What can be refused from the head alone.
  var admit: @Sendable (RouteMatch, EngineStore) throws(Refusal) -> Void = { _, _ in }
  /// Does the request, once it is whole.
  var act: @Sendable (WholeRequest, inout EngineStore) throws(Refusal) -> Outcome

  static let all: [Route] =
    [HealthRoute.get] + MomentRoutes.all + MediaRoutes.all + [TurnRoute.post]
}

/// What a target brought to the route that it matched.
struct RouteMatch: Hashable, Sendable {
  var moment = ""
  var media = ""
  var query: [QueryItem] = []
}

/// A request with its body, and what a route needs to know to do it.
struct WholeRequest {
  var match: RouteMatch
  var fields: [HeaderField]
  var body: [UInt8]
  var sha256: String
  var limits: EngineLimits
  var turnTakes: Duration
  var clock: WallClock
  var photos: (any PhotoReader)?
  var now: Instant
}

/// What doing a request came to.
struct Outcome: Hashable {
  var answer: ServerAnswer
  var at: Instant
  /// Something new was stored.
  var stored = false
  /// It was stored before, and the answer says so.
  var replay = false
}
