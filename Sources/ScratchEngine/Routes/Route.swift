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
    /// One part or more, whatever they are; the last.
    case rest
  }

  /// What is kept of a body while it comes in; more than a limit is answered 413.
  enum BodyUse: Hashable, Sendable {
    /// Nothing: it is read over.
    case none
    case json
    case media
    /// One file or many, of any length.
    case files
  }

  var method: String
  var path: [PathPart]
  var body = BodyUse.none
  /// The step of an upload that a request is; nil when it is none.
  var step: @Sendable (RouteMatch) -> UploadStep? = { _ in nil }
  /// The upload that a request is, outside of any moment; nil when it is none.
  var upload: @Sendable (RouteMatch) -> Upload? = { _ in nil }
  /// What can be refused from the head alone.
  var admit: @Sendable (RouteMatch, EngineStore) throws(Refusal) -> Void = { _, _ in }
  /// Does the request, once it is whole.
  var act: @Sendable (WholeRequest, inout EngineStore) throws(Refusal) -> Outcome

  static let all: [Route] =
    [HealthRoute.get] + MomentRoutes.all + MediaRoutes.all + [TurnRoute.post, TextRoute.post]
    + [StagedUploadRoute.post] + EncounterRoutes.all + [LiveRoute.post]
    + [EventsRoute.get] + FileRoutes.all
}

/// What a target brought to the route that it matched.
struct RouteMatch: Hashable, Sendable {
  var moment = ""
  var media = ""
  /// As it was sent.
  var path = ""
  var query: [QueryItem] = []
}

/// A request with its body, and what a route needs to know to do it.
struct WholeRequest {
  var match: RouteMatch
  var fields: [HeaderField]
  var body: [UInt8]
  /// Of a route that takes any files.
  var files: IncomingFiles?
  /// Of the body; nil when it is empty, and of an engine that makes no digests.
  var sha256: String?
  var limits: EngineLimits
  var script: EngineScript
  /// Event streams that are open.
  var openStreams: Int
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
  /// Open files that are new.
  var files: [StoredFile] = []
  /// The answer goes on with the events of the moment behind this one.
  var streamAfter: Int?
}
