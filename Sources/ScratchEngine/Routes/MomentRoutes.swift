import Captures
import JSON
import Quantities
import ScratchHTTP

/// `PUT` and `GET /api/moments/{ulid}`, and `GET /api/moments`: records in, read back, listed.
enum MomentRoutes {
  static let all = [put, get, list]

  private static let root = [Route.PathPart.literal("api"), .literal("moments")]

  private static let put = Route(
    method: "PUT", path: root + [.moment], body: .json,
    step: { _ in .record },
    act: { request, store throws(Refusal) in try record(request, &store) })

  private static let get = Route(
    method: "GET", path: root + [.moment],
    step: { _ in .readback },
    act: { request, store throws(Refusal) in
      guard let moment = store.moment(request.match.moment) else {
        throw .unknownMoment(request.match.moment)
      }
      return Outcome(answer: .json(200, .object(moment.members(request))), at: request.now)
    })

  private static let list = Route(
    method: "GET", path: root,
    act: { request, store throws(Refusal) in
      let page = try ListPage(
        of: store.moments.map(\.id), request.match.query, max: request.limits.listed)
      let moments = store.moments[page.range].map { JSONText.object($0.summary(request)) }
      return Outcome(
        answer: .json(
          200, .object([("moments", .array(moments)), ("next", .optional(page.next))])),
        at: request.now)
    })

  private static func record(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let record = try JSONBody.read(MomentRecord.self, from: request.body)
    try record.check()
    let id = request.match.moment
    if let stored = store.moment(id) {
      guard stored.record == record else { throw .contentDiffers("The moment \(id)") }
      return answer(stored, replay: true, request)
    }
    // The request id names the same act of saving: under another moment it is other content.
    if let other = store.momentStored(for: record.requestID) {
      throw .contentDiffers("The request id \(record.requestID), of the moment \(other),")
    }
    guard store.moments.count < request.limits.moments else { throw .storeFull("moments") }
    let moment = Moment(
      id: id, record: record, storedAt: request.clock.rfc3339(at: request.now))
    store.add(moment, at: request.now)
    return answer(moment, replay: false, request)
  }

  private static func answer(_ moment: Moment, replay: Bool, _ request: WholeRequest) -> Outcome {
    Outcome(
      answer: .json(
        replay ? 200 : 201, .object(moment.members(request) + [("replayed", .bool(replay))])),
      at: request.now, stored: !replay, replay: replay)
  }
}
