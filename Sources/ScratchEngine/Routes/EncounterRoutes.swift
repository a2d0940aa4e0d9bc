import Captures
import JSON
import Quantities
import ScratchHTTP

/// `POST` and `GET /api/encounters`: a record that names staged uploads, and the list of them.
///
/// `GET ...?request_id=ID` lists the one of that request alone: a client that reads it back knows its
/// own id, and may never have seen the one that was minted here.
enum EncounterRoutes {
  static let all = [post, get]

  private static let path = [Route.PathPart.literal("api"), .literal("encounters")]

  private static let post = Route(
    method: "POST", path: path, body: .json,
    step: { _ in .encounter },
    act: { request, store throws(Refusal) in try take(request, &store) })

  private static let get = Route(
    method: "GET", path: path,
    step: { $0.query.first("request_id") == nil ? nil : .readback },
    act: { request, store throws(Refusal) in
      if let id = request.match.query.first("request_id") {
        let found = store.encounterStored(for: id).map { JSONText.object(members($0, store)) }
        return list(found.map { [$0] } ?? [], next: nil, at: request.now)
      }
      let page = try ListPage(
        of: store.encounters.map(\.id), request.match.query, max: request.limits.listed)
      let encounters = store.encounters[page.range].map { JSONText.object(members($0, store)) }
      return list(encounters, next: page.next, at: request.now)
    })

  private static func list(_ encounters: [JSONText], next: String?, at now: Instant) -> Outcome {
    Outcome(
      answer: .json(200, .object([("encounters", .array(encounters)), ("next", .optional(next))])),
      at: now)
  }

  private static func take(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let content = try JSONBody.read(EncounterRecord.self, from: request.body)
    let requestID = content.record.requestID
    try content.record.check()
    guard !content.staged.isEmpty else { throw .invalidField("staged names no upload.") }
    guard Set(content.staged).count == content.staged.count else {
      throw .invalidField("staged names an upload twice.")
    }
    if let stored = store.encounterStored(for: requestID) {
      guard stored.content == content else {
        throw .contentDiffers("The encounter of the request \(requestID)")
      }
      return answer(stored, replay: true, store, request.now)
    }
    guard content.staged.count <= request.limits.perMoment else {
      throw .storeFull("uploads of an encounter")
    }
    for id in content.staged { try checkStaged(id, store) }
    guard store.encounters.count < request.limits.plates else { throw .storeFull("encounters") }
    let encounter = store.addEncounter(content)
    return answer(encounter, replay: false, store, request.now)
  }

  private static func checkStaged(_ id: String, _ store: EngineStore) throws(Refusal) {
    guard let upload = store.staged(id) else {
      throw Refusal(
        status: 409, code: "staged_missing",
        message: "The upload \(id) is not staged; send it before the encounter.")
    }
    if let other = upload.encounter {
      throw Refusal(
        status: 422, code: "staged_taken",
        message: "The upload \(id) is of the encounter \(other); stage it under another id.")
    }
  }

  private static func answer(
    _ encounter: Encounter, replay: Bool, _ store: EngineStore, _ now: Instant
  ) -> Outcome {
    Outcome(
      answer: .json(
        replay ? 200 : 201, .object(members(encounter, store) + [("replayed", .bool(replay))])),
      at: now, stored: !replay, replay: replay)
  }

  private static func members(
    _ encounter: Encounter, _ store: EngineStore
  ) -> [(String, JSONText)] {
    let staged = encounter.content.staged.compactMap(store.staged).map { upload in
      JSONText.object([
        ("id", .string(upload.id)), ("bytes", .integer(upload.bytes.count)),
        ("sha256", .optional(upload.sha256)),
      ])
    }
    return [("id", .string(encounter.id))] + encounter.content.record.members()
      + [("staged", .array(staged))]
  }
}
