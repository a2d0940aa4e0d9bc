import Captures
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
      return Outcome(answer: .json(200, .object(members(moment, request))), at: request.now)
    })

  private static let list = Route(
    method: "GET", path: root,
    act: { request, store in
      let moments = store.moments.map { JSONText.object(members($0, request)) }
      return Outcome(answer: .json(200, .object([("moments", .array(moments))])), at: request.now)
    })

  private static func record(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let record = try JSONBody.read(MomentRecord.self, from: request.body)
    try check(record)
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
    store.add(moment)
    return answer(moment, replay: false, request)
  }

  private static func check(_ record: MomentRecord) throws(Refusal) {
    try JSONBody.checkID(record.requestID, "request_id")
    guard !record.kind.isEmpty else { throw .invalidField("kind is empty.") }
    if let time = record.capturedAt, !TimeText.isValid(time) {
      throw .invalidField(
        "captured_at is not an RFC 3339 time; only the offset may be left out, if unknown.")
    }
    if let place = record.place {
      guard abs(place.latitude) <= 90, abs(place.longitude) <= 180 else {
        throw .invalidField("place is not on Earth: lat is -90 to 90, lon is -180 to 180.")
      }
    }
  }

  private static func answer(_ moment: Moment, replay: Bool, _ request: WholeRequest) -> Outcome {
    Outcome(
      answer: .json(
        replay ? 200 : 201, .object(members(moment, request) + [("replayed", .bool(replay))])),
      at: request.now, stored: !replay, replay: replay)
  }

  /// The record as it is read back; a turn that is still under way has no answer yet.
  private static func members(_ moment: Moment, _ request: WholeRequest) -> [(String, JSONText)] {
    let record = moment.record
    let truth = MomentTruth(of: moment, read: request.photos)
    return [
      ("id", .string(moment.id)),
      ("request_id", .string(record.requestID)),
      ("kind", .string(record.kind)),
      ("note", .optional(record.note)),
      ("captured_at", .string(truth.capturedAt)),
      ("captured_at_source", .string(truth.capturedBy.rawValue)),
      ("time_zone", .optional(record.timeZone)),
      (
        "place",
        truth.place.map {
          .object([("lat", .number($0.latitude)), ("lon", .number($0.longitude))])
        } ?? .null
      ),
      ("place_source", .optional(truth.placedBy?.rawValue)),
      (
        "media",
        .array(
          moment.media.map {
            .object([
              ("id", .string($0.id)), ("role", .string($0.role.rawValue)),
              ("bytes", .integer($0.bytes.count)), ("sha256", .string($0.sha256)),
            ])
          })
      ),
      (
        "turns",
        .array(
          moment.turns.map {
            .object([
              ("request_id", .string($0.requestID)), ("media_id", .string($0.mediaID)),
              ("answer", $0.readyAt <= request.now ? .string($0.answer) : .null),
            ])
          })
      ),
    ]
  }
}
