package import Captures
import ScratchHTTP

/// A kind of request that has a route: what a pattern can choose it by.
package struct RequestShape: Hashable, Sendable {
  package let method: String
  /// With `*` for its ids.
  package let path: String
  /// Nil when it is no step of an upload.
  package let step: UploadStep?
  /// Its attempts are counted.
  package let isCounted: Bool
  /// It brings a body.
  package let hasBody: Bool

  /// Those of the table of routes; one for each step that a route can be.
  package static let all = Route.all.flatMap(shapes)

  private static func shapes(of route: Route) -> [RequestShape] {
    let parts = route.path.map { part in
      if case .literal(let text) = part { text } else { "*" }
    }
    // What the step and the upload of a route are told by beside its path.
    let queries = ["copy", "original", "document"].map { [QueryItem("role", $0)] }
    let matches = queries.map { RouteMatch(query: $0 + [QueryItem("request_id", "r")]) }
    let isUpload = route.upload(matches[0]) != nil
    let steps = matches.map(route.step).reduce(into: [UploadStep?]()) { steps, step in
      if !steps.contains(step) { steps.append(step) }
    }
    return steps.map { step in
      RequestShape(
        method: route.method, path: "/" + parts.joined(separator: "/"), step: step,
        isCounted: step != nil || isUpload, hasBody: route.body != .none)
    }
  }
}

extension RequestPattern {
  /// Whether it may match requests of that kind, as far as step, attempt, method and path say.
  package func mayMatch(_ shape: RequestShape) -> Bool {
    (step == nil || step == shape.step) && (attempt == nil || shape.isCounted)
      && hasMethod(of: shape) && (path.map { PathGlob($0).meets(PathGlob(shape.path)) } ?? true)
  }

  private func hasMethod(of shape: RequestShape) -> Bool {
    // HEAD is GET without the body.
    method == nil || method == shape.method || (method == "HEAD" && shape.method == "GET")
  }
}
