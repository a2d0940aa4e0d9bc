import Captures
import JSON
import Quantities
import ScratchHTTP

/// `POST /api/moments/{ulid}/turns`: one answer about the display copy, after its time.
///
/// A turn is taken on when its request is whole, and goes on if the connection ends. A repeat is
/// answered when the first is: at once if it is over.
enum TurnRoute {
  static let post = Route(
    method: "POST",
    path: [.literal("api"), .literal("moments"), .moment, .literal("turns")], body: .json,
    step: { _ in .turn },
    act: { request, store throws(Refusal) in try take(request, &store) })

  private static func take(
    _ request: WholeRequest, _ store: inout EngineStore
  ) throws(Refusal) -> Outcome {
    let body = try ReadingRequest(request.body)
    guard let moment = store.moment(request.match.moment) else {
      throw .unknownMoment(request.match.moment)
    }
    if let stored = moment.turn(body.requestID) {
      guard stored.mediaID == body.mediaID else {
        throw .contentDiffers("The turn \(body.requestID)")
      }
      return outcome(stored, replay: true, request.now)
    }
    guard let copy = moment.media(body.mediaID) else {
      throw Refusal(
        status: 409, code: "copy_missing",
        message: "The copy \(body.mediaID) is not stored; send it before the turn.")
    }
    // Without a smaller copy the engine makes the one that it reads from the original.
    let hasCopy = moment.media.contains { $0.role == .copy }
    guard copy.role == (hasCopy ? .copy : .original) else {
      throw Refusal(
        status: 422, code: "not_a_copy",
        message: "A turn reads a photo, its copy where there is one, and \(copy.id) is the "
          + "\(copy.role.rawValue).")
    }
    guard moment.turns.count < request.limits.perMoment else { throw .storeFull("turns of it") }
    let turn = StoredTurn(
      requestID: body.requestID, mediaID: copy.id,
      answer: "I have read \(copy.bytes.count) bytes of \(copy.id).",
      readyAt: request.now + request.script.turnTakes)
    store.add(turn, to: moment.id)
    return outcome(turn, replay: false, request.now)
  }

  private static func outcome(_ turn: StoredTurn, replay: Bool, _ now: Instant) -> Outcome {
    let answer = JSONText.object([
      ("request_id", .string(turn.requestID)), ("answer", .string(turn.answer)),
      ("replayed", .bool(replay)),
    ])
    return Outcome(
      answer: .json(200, answer), at: max(now, turn.readyAt), stored: !replay, replay: replay)
  }
}
