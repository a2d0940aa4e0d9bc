import ScratchHTTP

/// Finds the route of a request.
enum Router {
  /// The route of a head whose host is this machine, or why it has none.
  static func find(
    _ head: RequestHead, in routes: [Route] = Route.all
  ) -> Result<(Route, RouteMatch), Refusal> {
    do throws(Refusal) {
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
      return .success(try route(head.method, target, in: routes))
    } catch {
      return .failure(error)
    }
  }

  /// The route, and what the target brought to it.
  ///
  /// Throws ``Refusal``: 404 for a path that no route has, 405 with `Allow` for another method on
  /// one that has, 400 for an id that is none.
  private static func route(
    _ method: String, _ target: RequestTarget, in routes: [Route]
  ) throws(Refusal) -> (Route, RouteMatch) {
    let routes = routes.filter { fits($0.path, target.segments) }
    guard !routes.isEmpty else {
      throw Refusal(
        status: 404, code: "no_such_route", message: "There is nothing at \(target.path).")
    }
    // HEAD is GET without the body (RFC 9110 section 9.3.2); the writer leaves that out.
    let wanted = method == "HEAD" ? "GET" : method
    guard let route = routes.first(where: { $0.method == wanted }) else {
      let allowed = routes.map(\.method).flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
      let list = allowed.joined(separator: ", ")
      throw Refusal(
        status: 405, code: "method_not_allowed",
        message: "\(target.path) takes \(list), not \(method).",
        fields: [HeaderField("Allow", list)])
    }
    return (route, try match(route, target))
  }

  private static func fits(_ path: [Route.PathPart], _ segments: [String]) -> Bool {
    (path.last == .rest ? path.count <= segments.count : path.count == segments.count)
      && zip(path, segments).allSatisfy { part, segment in
        if case .literal(let text) = part { text == segment } else { true }
      }
  }

  private static func match(
    _ route: Route, _ target: RequestTarget
  ) throws(Refusal) -> RouteMatch {
    var match = RouteMatch(path: target.path, query: target.query)
    for (part, segment) in zip(route.path, target.segments) {
      switch part {
      case .literal, .rest: continue
      case .moment:
        guard ClientID.isULID(segment) else {
          throw Refusal(
            status: 400, code: "bad_moment_id",
            message: "A moment's id is a ULID: 26 digits and capitals, without I, L, O and U.")
        }
        match.moment = segment
      case .media:
        guard ClientID.isPlain(segment) else {
          throw Refusal(
            status: 400, code: "bad_media_id",
            message: "A media id is 1 to \(ClientID.lengthMax) letters, digits, or any of - . _ ~")
        }
        match.media = segment
      }
    }
    return match
  }
}
