import JSON
import ScratchHTTP

/// `GET /api/health`: the engine is there, and is this one.
enum HealthRoute {
  static let get = Route(
    method: "GET", path: [.literal("api"), .literal("health")],
    act: { request, _ in
      Outcome(
        answer: .json(200, .object([("ok", .bool(true)), ("engine", .string("onebar"))])),
        at: request.now)
    })
}
